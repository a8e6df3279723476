(class_declaration) @def.class
(object_declaration) @def.class
(enum_entry) @def.constant
(type_alias) @def.type_alias
(function_declaration) @def.function
(secondary_constructor) @def.constructor
(anonymous_initializer) @def.constructor
(class_parameter) @def.field
(class_body (property_declaration) @def.field)
(enum_class_body (property_declaration) @def.field)
(source_file (property_declaration) @def.variable)
(property_declaration (getter)) @def.property

(annotation) @decorator

(call_expression . (identifier) @ref.call)
(call_expression . (navigation_expression) @ref.call)
(callable_reference (identifier) @ref.call)
(throw_expression (call_expression . (_) @ref.raise))
(navigation_expression) @ref.field

(class_declaration (delegation_specifiers (delegation_specifier (user_type) @ref.base)))
(class_declaration (delegation_specifiers (delegation_specifier (_ . (user_type) @ref.base))))
(object_declaration (delegation_specifiers (delegation_specifier (user_type) @ref.base)))
(object_declaration (delegation_specifiers (delegation_specifier (_ . (user_type) @ref.base))))
(user_type) @ref.type

(value_argument (identifier) @ref.name)
(index_expression) @ref.more
(binary_expression) @ref.more
(in_expression) @ref.more
(range_expression) @ref.more
(assignment operator: ["+=" "-="]) @ref.more

(import) @import

(property_declaration (variable_declaration)) @bind
(catch_block) @bind
(for_statement (variable_declaration)) @bind
(lambda_literal) @lambda

; the grammar reads `annotation class X` without a body as an infix call, and gives up on a class
; when one of its members confuses it: keep the name
((infix_expression (identifier) @_keyword . (identifier) @def.class) (#eq? @_keyword "class"))
(ERROR "class" . (identifier) @def.class)
(ERROR "interface" . (identifier) @def.interface)
(ERROR "object" . (identifier) @def.class)
