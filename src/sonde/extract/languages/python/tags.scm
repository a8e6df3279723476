(function_definition) @def.function
(class_definition) @def.class
(type_alias_statement) @def.type_alias

; module and class level assignments are symbols, instance attributes too
(module (expression_statement (assignment left: (identifier)) @def.variable))
(module (if_statement (block (expression_statement (assignment left: (identifier)) @def.variable))))
(module (try_statement (block (expression_statement (assignment left: (identifier)) @def.variable))))
(class_definition body: (block (expression_statement (assignment left: (identifier)) @def.field)))
(assignment left: (attribute object: (identifier))) @def.field
(assignment left: (pattern_list (attribute object: (identifier)) @def.field))
(module (expression_statement (assignment left: (pattern_list (identifier) @def.variable))))

(decorator) @decorator

(call function: (identifier) @ref.call)
(call function: (attribute) @ref.call)
(attribute) @ref.field
(argument_list (identifier) @ref.name)
(keyword_argument value: (identifier) @ref.name)
(list (identifier) @ref.name)
(tuple (identifier) @ref.name)
(pair value: (identifier) @ref.name)
(return_statement (identifier) @ref.name)
(assignment right: (identifier) @ref.name)

(type (identifier) @ref.type)
(type (attribute) @ref.type)
(type (generic_type (identifier) @ref.type))
(type (subscript value: (identifier) @ref.type))
(type (subscript subscript: (identifier) @ref.type))
(type (binary_operator (identifier) @ref.type))
(type (string (string_content) @ref.type))

(class_definition superclasses: (argument_list (identifier) @ref.base))
(class_definition superclasses: (argument_list (attribute) @ref.base))
(class_definition superclasses: (argument_list (subscript value: (identifier) @ref.base)))

(raise_statement (identifier) @ref.raise)
(raise_statement (call function: (identifier) @ref.raise))
(raise_statement (call function: (attribute) @ref.raise))
(except_clause (identifier) @ref.type)
(except_clause (as_pattern (identifier) @ref.type))
(except_clause (tuple (identifier) @ref.type))

(import_statement) @import
(import_from_statement) @import
(future_import_statement) @import

(assignment left: (identifier) right: (call)) @bind
(assignment left: (identifier) right: (attribute)) @bind
(assignment left: (identifier) right: (subscript)) @bind
(assignment left: (identifier) right: (await (call))) @bind
(assignment left: (attribute) right: (await (call))) @bind
(assignment left: (attribute object: (identifier)) right: (identifier)) @bind
(assignment left: (identifier) type: (type)) @bind
(assignment left: (attribute) right: (call)) @bind
(assignment left: (attribute) type: (type)) @bind
(as_pattern (call) alias: (as_pattern_target (identifier))) @bind
(for_statement left: (identifier)) @bind
(for_in_clause left: (identifier)) @bind
(for_statement left: (pattern_list . (_) . (identifier) .)) @bind
(for_in_clause left: (pattern_list . (_) . (identifier) .)) @bind

(module . (expression_statement (string) @doc))
(module . (comment) . (expression_statement (string) @doc))
(class_definition body: (block . (expression_statement (string) @doc)))
(class_definition body: (block . (comment) . (expression_statement (string) @doc)))
(function_definition body: (block . (expression_statement (string) @doc)))
(function_definition body: (block . (comment) . (expression_statement (string) @doc)))
