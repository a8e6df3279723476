(abstract_class_declaration) @def.class
(interface_declaration) @def.interface
(type_alias_declaration) @def.type_alias
(enum_declaration) @def.enum
(enum_body name: (_) @def.constant)
(enum_assignment) @def.constant
(internal_module) @def.namespace
(module name: (identifier)) @def.namespace
(internal_module (statement_block (lexical_declaration (variable_declarator name: (identifier)) @def.variable)))
(internal_module (statement_block (export_statement (lexical_declaration (variable_declarator name: (identifier)) @def.variable))))
(function_signature) @def.function
(method_signature) @def.method
(abstract_method_signature) @def.method
(interface_body (property_signature) @def.field)
(type_alias_declaration value: (object_type (property_signature type: (type_annotation (function_type))) @def.field))
(public_field_definition) @def.field
(public_field_definition value: [(arrow_function) (function_expression)]) @def.method
(required_parameter (accessibility_modifier)) @def.field
(optional_parameter (accessibility_modifier)) @def.field
(required_parameter "readonly") @def.field
(optional_parameter "readonly") @def.field
(ambient_declaration (lexical_declaration (variable_declarator name: (identifier)) @def.variable))
(ambient_declaration (variable_declaration (variable_declarator name: (identifier)) @def.variable))
(variable_declarator name: (identifier) value: (as_expression (object) @scope))
(variable_declarator name: (identifier) value: (satisfies_expression (object) @scope))

(extends_clause value: (identifier) @ref.base)
(extends_clause value: (member_expression) @ref.base)
(implements_clause (type_identifier) @ref.base)
(implements_clause (nested_type_identifier) @ref.base)
(implements_clause (generic_type name: (_) @ref.base))
(extends_type_clause type: (type_identifier) @ref.base)
(extends_type_clause type: (nested_type_identifier) @ref.base)
(extends_type_clause type: (generic_type name: (_) @ref.base))
(nested_type_identifier) @ref.qualified_type
(type_identifier) @ref.type

(variable_declarator name: (identifier) type: (_)) @bind
(for_in_statement left: (identifier) operator: "of") @bind
(arguments (arrow_function parameter: (identifier)) @lambda)
(arguments (arrow_function parameters: (formal_parameters . (_))) @lambda)
