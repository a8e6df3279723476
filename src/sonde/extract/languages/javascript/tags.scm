(field_definition) @def.field
(field_definition value: [(arrow_function) (function_expression)]) @def.method
(class_heritage (identifier) @ref.base)
(class_heritage (member_expression) @ref.base)
