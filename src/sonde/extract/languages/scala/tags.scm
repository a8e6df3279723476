(class_definition) @def.class
(object_definition) @def.class
(package_object) @def.class
(trait_definition) @def.trait
(enum_definition) @def.enum
(simple_enum_case) @def.constant
(full_enum_case) @def.class
(type_definition) @def.type_alias
(function_definition) @def.function
(function_declaration) @def.function
(given_definition name: (_)) @def.variable
(class_parameter) @def.field
(template_body (val_definition) @def.field)
(template_body (var_definition) @def.field)
(template_body (val_declaration) @def.field)
(template_body (var_declaration) @def.field)
(compilation_unit (val_definition) @def.variable)
(compilation_unit (var_definition) @def.variable)
(extension_definition) @scope

(annotation) @decorator

(call_expression function: (identifier) @ref.call)
(call_expression function: (field_expression) @ref.call)
(call_expression function: (generic_function function: (_) @ref.call))
(instance_expression . (type_identifier) @ref.call)
(instance_expression . (stable_type_identifier) @ref.call)
(instance_expression . (generic_type type: (_) @ref.call))
(infix_expression operator: (identifier) @ref.call)
(throw_expression (instance_expression . (type_identifier) @ref.raise))
(field_expression) @ref.field

(extends_clause (type_identifier) @ref.base)
(extends_clause (stable_type_identifier) @ref.base)
(extends_clause (generic_type type: (_) @ref.base))
(stable_type_identifier) @ref.qualified_type
(type_identifier) @ref.type

(arguments (identifier) @ref.name)
(infix_expression right: (identifier) @ref.name)
(infix_expression) @ref.more
; brackets behind the name of an object
((call_expression function: (identifier) @ref.more) (#match? @ref.more "^[A-Z]"))
((call_expression function: (field_expression field: (identifier)) @ref.more) (#match? @ref.more "[.][A-Z][a-zA-Z0-9_]*$"))
((call_expression function: (generic_function function: (_) @ref.more)) (#match? @ref.more "(^|[.])[A-Z][a-zA-Z0-9_]*$"))

(import_declaration) @import

(val_definition pattern: (identifier)) @bind
(var_definition pattern: (identifier)) @bind
(typed_pattern) @bind
(enumerator . (identifier)) @bind
(lambda_expression) @lambda
