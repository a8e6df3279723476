(function_definition) @def.function
(declaration declarator: (function_declarator)) @def.function
(declaration declarator: (pointer_declarator declarator: (function_declarator))) @def.function
(declaration declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator)))) @def.function
(declaration declarator: (pointer_declarator declarator: (reference_declarator (function_declarator)))) @def.function
(declaration declarator: (reference_declarator (function_declarator))) @def.function
(field_declaration declarator: (function_declarator)) @def.method
(field_declaration declarator: (pointer_declarator declarator: (function_declarator))) @def.method
(field_declaration declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator)))) @def.method
(field_declaration declarator: (pointer_declarator declarator: (reference_declarator (function_declarator)))) @def.method
(field_declaration declarator: (reference_declarator (function_declarator))) @def.method
(class_specifier body: (_)) @def.class
(struct_specifier body: (_)) @def.struct
(union_specifier body: (_)) @def.struct
(enum_specifier body: (_)) @def.enum
(type_definition declarator: (_) @def.type_alias)
(type_definition type: (struct_specifier !name body: (_))) @def.struct
(type_definition type: (union_specifier !name body: (_))) @def.struct
(type_definition type: (enum_specifier !name body: (_))) @def.enum
(alias_declaration) @def.type_alias
(concept_definition) @def.type_alias
(enumerator) @def.constant
(field_declaration declarator: (_) @def.field)
(translation_unit (declaration declarator: (_) @def.variable))
(declaration_list (declaration declarator: (_) @def.variable))
(preproc_ifdef (declaration declarator: (_) @def.variable))
(preproc_def) @def.macro
(preproc_function_def) @def.macro

(call_expression function: (identifier) @ref.call)
(call_expression function: (field_expression) @ref.call)
(call_expression function: (qualified_identifier) @ref.call)
(call_expression function: (template_function name: (_) @ref.call))
(new_expression type: (_) @ref.call)
(compound_literal_expression type: [(type_identifier) (qualified_identifier) (template_type)] @ref.call)
; `Row row;`, `Row row(1);`, `Row row{1};`, and `Row row(other);`, to the grammar a prototype
((compound_statement (declaration type: [(type_identifier) (qualified_identifier) (template_type)] @ref.call declarator: [
  (identifier)
  (init_declarator declarator: (identifier) value: [(argument_list) (initializer_list)])
  (function_declarator declarator: (identifier) parameters: (parameter_list . (parameter_declaration type: [(type_identifier) (qualified_identifier)])))
])) (#not-match? @ref.call "^std::|_t$"))
(field_initializer . (field_identifier) @ref.field)
(throw_statement (call_expression function: (_) @ref.raise))
(field_expression) @ref.field
(argument_list (identifier) @ref.name)
(initializer_list (identifier) @ref.name)
(pointer_expression argument: (identifier) @ref.name)
(qualified_identifier name: (type_identifier)) @ref.qualified_type
(type_identifier) @ref.type
(base_class_clause (type_identifier) @ref.base)
(base_class_clause (qualified_identifier) @ref.base)
(base_class_clause (template_type name: (_) @ref.base))
(subscript_expression) @ref.more
(binary_expression) @ref.more
(assignment_expression left: (identifier)) @ref.more

(preproc_include) @import
(translation_unit (class_specifier name: (type_identifier) !body) @import)
(translation_unit (struct_specifier name: (type_identifier) !body) @import)
(declaration_list (class_specifier name: (type_identifier) !body) @import)
(declaration_list (struct_specifier name: (type_identifier) !body) @import)
(template_declaration (class_specifier name: (type_identifier) !body) @import)
(template_declaration (struct_specifier name: (type_identifier) !body) @import)

(compound_statement (declaration type: [(type_identifier) (qualified_identifier) (template_type) (placeholder_type_specifier) (struct_specifier name: (_))]) @bind)
(case_statement (declaration type: [(type_identifier) (qualified_identifier) (template_type) (placeholder_type_specifier) (struct_specifier name: (_))]) @bind)
(for_statement (declaration type: [(type_identifier) (qualified_identifier) (template_type) (placeholder_type_specifier) (struct_specifier name: (_))]) @bind)
(condition_clause (declaration type: [(type_identifier) (qualified_identifier) (template_type) (placeholder_type_specifier) (struct_specifier name: (_))]) @bind)
(init_statement (declaration type: [(type_identifier) (qualified_identifier) (template_type) (placeholder_type_specifier) (struct_specifier name: (_))]) @bind)
(catch_clause (parameter_list (parameter_declaration) @bind))
(lambda_expression (abstract_function_declarator (parameter_list (parameter_declaration type: [(type_identifier) (qualified_identifier) (template_type) (placeholder_type_specifier) (struct_specifier name: (_))]) @bind)))
(for_range_loop) @bind
