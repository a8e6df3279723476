(class_declaration) @def.class
(record_declaration) @def.class
(struct_declaration) @def.struct
(interface_declaration) @def.interface
(enum_declaration) @def.enum
(enum_member_declaration) @def.constant
(delegate_declaration) @def.type_alias
(method_declaration) @def.method
(constructor_declaration) @def.constructor
(destructor_declaration) @def.method
(operator_declaration) @def.method
(conversion_operator_declaration) @def.method
(local_function_statement) @def.function
(property_declaration) @def.property
(indexer_declaration) @def.property
(event_declaration) @def.property
(field_declaration) @def.field
(event_field_declaration) @def.field
(record_declaration (parameter_list (parameter) @def.field))

(attribute) @decorator

(invocation_expression function: (identifier) @ref.call)
(invocation_expression function: (generic_name) @ref.call)
(invocation_expression function: (member_access_expression) @ref.call)
(invocation_expression function: (conditional_access_expression) @ref.call)
(object_creation_expression type: (identifier) @ref.call)
(object_creation_expression type: (qualified_name) @ref.call)
(object_creation_expression type: (generic_name . (identifier) @ref.call))
(throw_statement (object_creation_expression type: (_) @ref.raise))
(throw_expression (object_creation_expression type: (_) @ref.raise))
(member_access_expression) @ref.field

(base_list (identifier) @ref.base)
(base_list (qualified_name) @ref.base)
(base_list (generic_name . (identifier) @ref.base))
(primary_constructor_base_type type: (_) @ref.base)

(_ type: (identifier) @ref.type)
(_ type: (qualified_name) @ref.type)
(_ type: (generic_name . (identifier) @ref.type))
(_ returns: (identifier) @ref.type)
(_ returns: (qualified_name) @ref.type)
(_ returns: (generic_name . (identifier) @ref.type))
(type_argument_list (identifier) @ref.type)
(type_argument_list (qualified_name) @ref.type)
(type_argument_list (generic_name . (identifier) @ref.type))
(member_access_expression expression: (generic_name . (identifier) @ref.type))
(as_expression right: (identifier) @ref.type)
(type_parameter_constraint (identifier) @ref.type)

(argument (identifier) @ref.name)
(assignment_expression right: (identifier) @ref.name)
(element_access_expression) @ref.more
(binary_expression) @ref.more
(assignment_expression operator: _) @ref.more

(using_directive) @import

(local_declaration_statement (variable_declaration) @bind)
(using_statement (variable_declaration) @bind)
(foreach_statement type: (_)) @bind
(catch_declaration) @bind
(declaration_pattern) @bind
(lambda_expression) @lambda
