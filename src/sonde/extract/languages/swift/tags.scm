(class_declaration declaration_kind: "class") @def.class
(class_declaration declaration_kind: "actor") @def.class
(class_declaration declaration_kind: "struct") @def.struct
(class_declaration declaration_kind: "enum") @def.enum
(class_declaration declaration_kind: "extension") @scope
(protocol_declaration) @def.protocol
(function_declaration) @def.function
(protocol_function_declaration) @def.function
(init_declaration) @def.function
(deinit_declaration) @def.function
(subscript_declaration) @def.function
(macro_declaration) @def.macro
(typealias_declaration) @def.type_alias
(associatedtype_declaration) @def.type_alias
(enum_entry) @def.constant
(class_body (property_declaration) @def.field)
(enum_class_body (property_declaration) @def.field)
(protocol_property_declaration) @def.field
(source_file (property_declaration) @def.variable)

(attribute) @decorator

; what stands before square brackets is no call
(call_expression . (simple_identifier) @ref.call (call_suffix (value_arguments . "(")))
(call_expression . (simple_identifier) @ref.call (call_suffix . (lambda_literal)))
(call_expression . (simple_identifier) @ref.name (call_suffix (value_arguments . "[")))
(call_expression (call_suffix (value_arguments . "["))) @ref.more
(call_expression . (navigation_expression) @ref.call (call_suffix (value_arguments . "(")))
(call_expression . (navigation_expression) @ref.call (call_suffix . (lambda_literal)))
(macro_invocation . (simple_identifier) @ref.call)
(navigation_expression) @ref.field
(value_argument value: (simple_identifier) @ref.name)
(user_type) @ref.type
(class_declaration declaration_kind: "class" (inheritance_specifier inherits_from: (user_type) @ref.base))
(class_declaration declaration_kind: "actor" (inheritance_specifier inherits_from: (user_type) @ref.base))
(class_declaration declaration_kind: "struct" (inheritance_specifier inherits_from: (user_type) @ref.base))
(class_declaration declaration_kind: "enum" (inheritance_specifier inherits_from: (user_type) @ref.base))
(protocol_declaration (inheritance_specifier inherits_from: (user_type) @ref.base))
(class_declaration declaration_kind: "extension" (inheritance_specifier) @ref.more)
(control_transfer_statement (throw_keyword) (call_expression . (simple_identifier) @ref.raise))
(control_transfer_statement (throw_keyword) (call_expression . (navigation_expression target: (simple_identifier) @ref.raise)))
(control_transfer_statement (throw_keyword) (navigation_expression target: (simple_identifier) @ref.raise))

(import_declaration) @import

(statements (property_declaration) @bind)
(for_statement item: (pattern)) @bind
(if_statement (value_binding_pattern)) @bind
(guard_statement (value_binding_pattern)) @bind
(while_statement (value_binding_pattern)) @bind
(lambda_literal) @lambda
