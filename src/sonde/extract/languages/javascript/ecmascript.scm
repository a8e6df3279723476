; shared by JavaScript and TypeScript
(function_declaration) @def.function
(generator_function_declaration) @def.function
(class_declaration) @def.class
(method_definition) @def.method

(variable_declarator name: (identifier) value: [(arrow_function) (function_expression) (generator_function)]) @def.function
(assignment_expression left: [(identifier) (member_expression)] right: [(arrow_function) (function_expression) (generator_function)]) @def.function
(pair value: [(arrow_function) (function_expression) (generator_function)]) @def.function
(assignment_expression left: (subscript_expression) right: [(arrow_function) (function_expression) (generator_function)]) @def.function
(function_expression name: (_)) @def.function
(generator_function name: (_)) @def.function
(class name: (_)) @def.class
(assignment_expression left: (member_expression) right: (assignment_expression right: [(arrow_function) (function_expression)])) @def.function
(export_statement value: [(arrow_function) (function_expression !name)]) @def.function
(export_statement value: (class !name)) @def.class
(variable_declarator name: (identifier) value: (class)) @def.class
(assignment_expression right: (class)) @def.class
(pair value: (class)) @def.class
(assignment_expression left: (member_expression object: (this))) @def.field
(assignment_expression left: (member_expression object: (member_expression object: (identifier)))) @def.variable

(program (lexical_declaration (variable_declarator name: (identifier)) @def.variable))
(program (variable_declaration (variable_declarator name: (identifier)) @def.variable))
(program (export_statement (lexical_declaration (variable_declarator name: (identifier)) @def.variable)))
(program (export_statement (variable_declaration (variable_declarator name: (identifier)) @def.variable)))
(variable_declarator name: (identifier) value: (object) @scope)
(program (lexical_declaration (variable_declarator name: (identifier) value: (call_expression arguments: (arguments (object) @scope)))))
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) value: (call_expression arguments: (arguments (object) @scope))))))
(assignment_expression left: (member_expression) right: (object) @scope)

(decorator) @decorator

(call_expression function: (identifier) @ref.call)
(call_expression function: (member_expression) @ref.call)
(new_expression constructor: (identifier) @ref.call)
(new_expression constructor: (member_expression) @ref.call)
(throw_statement (new_expression constructor: (_) @ref.raise))
(member_expression) @ref.field

(arguments (identifier) @ref.name)
(array (identifier) @ref.name)
(pair value: (identifier) @ref.name)
(shorthand_property_identifier) @ref.name
(assignment_expression right: (identifier) @ref.name)
(variable_declarator value: (identifier) @ref.name)
(return_statement (identifier) @ref.name)

(import_statement) @import
(export_statement source: (_)) @import
(export_statement !source (export_clause)) @import
(export_statement "default") @import
((assignment_expression left: (member_expression object: (_) @import)) (#any-of? @import "module" "exports" "module.exports"))
(call_expression function: (import)) @import
((call_expression function: (identifier) @import) (#eq? @import "require"))

(variable_declarator name: (identifier) value: (new_expression)) @bind
(variable_declarator name: (identifier) value: (call_expression)) @bind
(variable_declarator name: (identifier) value: (member_expression)) @bind
(variable_declarator name: (identifier) value: (subscript_expression)) @bind
(variable_declarator name: (identifier) value: (await_expression (call_expression))) @bind
(assignment_expression left: (member_expression object: (this)) right: (new_expression)) @bind
