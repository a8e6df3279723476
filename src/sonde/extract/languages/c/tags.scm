(function_definition) @def.function
(declaration declarator: (function_declarator)) @def.function
(declaration declarator: (pointer_declarator declarator: (function_declarator))) @def.function
(declaration declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator)))) @def.function
(struct_specifier body: (_)) @def.struct
(union_specifier body: (_)) @def.struct
(enum_specifier body: (_)) @def.enum
(type_definition declarator: (_) @def.type_alias)
(type_definition type: (struct_specifier !name body: (_))) @def.struct
(type_definition type: (union_specifier !name body: (_))) @def.struct
(type_definition type: (enum_specifier !name body: (_))) @def.enum
(enumerator) @def.constant
(field_declaration declarator: (_) @def.field)
(translation_unit (declaration declarator: (_) @def.variable))
(preproc_ifdef (declaration declarator: (_) @def.variable))
(preproc_if (declaration declarator: (_) @def.variable))
(preproc_else (declaration declarator: (_) @def.variable))
(preproc_def) @def.macro
(preproc_function_def) @def.macro

(call_expression function: (identifier) @ref.call)
(call_expression function: (field_expression) @ref.call)
(field_expression) @ref.field
(argument_list (identifier) @ref.name)
(initializer_list (identifier) @ref.name)
(initializer_pair value: (identifier) @ref.name)
(pointer_expression argument: (identifier) @ref.name)
(assignment_expression right: (identifier) @ref.name)
(init_declarator value: (identifier) @ref.name)
(type_identifier) @ref.type

(preproc_include) @import

(compound_statement (declaration type: [(type_identifier) (struct_specifier name: (_))]) @bind)
(case_statement (declaration type: [(type_identifier) (struct_specifier name: (_))]) @bind)
(for_statement (declaration type: [(type_identifier) (struct_specifier name: (_))]) @bind)
