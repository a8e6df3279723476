(function_item) @def.function
(function_signature_item) @def.function
(struct_item) @def.struct
(union_item) @def.struct
(enum_item) @def.enum
(enum_variant) @def.constant
(trait_item) @def.trait
(type_item) @def.type_alias
(associated_type) @def.type_alias
(const_item) @def.constant
(static_item) @def.variable
(macro_definition) @def.macro
(struct_item body: (field_declaration_list (field_declaration) @def.field))
(union_item body: (field_declaration_list (field_declaration) @def.field))
(impl_item) @scope

(attribute_item) @decorator

(call_expression function: (identifier) @ref.call)
(call_expression function: (field_expression) @ref.call)
(call_expression function: (scoped_identifier) @ref.call)
(call_expression function: (generic_function function: (_) @ref.call))
(macro_invocation macro: (_) @ref.call)
; macros take tokens: a name before parentheses is most likely a call
(token_tree (identifier) @ref.call . (token_tree . "("))
((token_tree (identifier) @ref.call . (token_tree . "{")) (#match? @ref.call "^[A-Z]"))
(field_expression) @ref.field
(arguments (identifier) @ref.name)
(arguments (scoped_identifier) @ref.field)
(match_pattern (scoped_identifier) @ref.field)
(tuple_struct_pattern type: (scoped_identifier) @ref.field)
(_ value: (scoped_identifier) @ref.field)
(_ right: (scoped_identifier) @ref.field)

(scoped_type_identifier) @ref.qualified_type
(type_identifier) @ref.type
(trait_item bounds: (trait_bounds (type_identifier) @ref.base))
(trait_item bounds: (trait_bounds (scoped_type_identifier) @ref.base))
(trait_item bounds: (trait_bounds (generic_type type: (_) @ref.base)))
(impl_item trait: (_)) @ref.more

(use_declaration) @import
(extern_crate_declaration) @import
(mod_item) @import
((attribute (identifier) @import) (#eq? @import "proc_macro_derive"))

(let_declaration pattern: (identifier)) @bind
(for_expression pattern: (identifier)) @bind
(let_declaration pattern: (tuple_struct_pattern type: (identifier) . (_) .)) @bind
(let_declaration pattern: (tuple_struct_pattern type: (scoped_identifier) . (_) .)) @bind
(let_condition pattern: (tuple_struct_pattern type: (identifier) . (_) .)) @bind
(let_condition pattern: (tuple_struct_pattern type: (scoped_identifier) . (_) .)) @bind
(match_arm pattern: (match_pattern (tuple_struct_pattern type: (identifier) . (_) .))) @bind
(match_arm pattern: (match_pattern (tuple_struct_pattern type: (scoped_identifier) . (_) .))) @bind
(closure_expression parameters: (closure_parameters . (_))) @lambda
