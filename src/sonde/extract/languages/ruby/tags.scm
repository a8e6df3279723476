(module) @def.namespace
(class) @def.class
(method) @def.method
(singleton_method) @def.method
(alias) @def.method
(assignment left: (constant)) @def.constant
(assignment left: (instance_variable)) @def.field
(assignment left: (class_variable)) @def.field
(operator_assignment left: (instance_variable)) @def.field
; attr_accessor, define_method, has_many, scope: definition_name looks which
(body_statement (call !receiver arguments: (argument_list (simple_symbol) @def.property)))
(body_statement (call !receiver arguments: (argument_list
  . (call !receiver arguments: (argument_list (simple_symbol) @def.property)))))
(body_statement (call !receiver arguments: (argument_list . (simple_symbol))) @def.method)
(body_statement (call !receiver arguments: (argument_list . (string))) @def.method)
(body_statement (call !receiver arguments: (argument_list . (pair))) @def.method)

(call method: (_)) @ref.call
(identifier) @ref.name
(assignment left: (identifier) @local)
(operator_assignment left: (identifier) @local)
(left_assignment_list (identifier) @local)
(rest_assignment (identifier) @local)
(destructured_left_assignment (identifier) @local)
(method_parameters (identifier) @local)
(block_parameters (identifier) @local)
(lambda_parameters (identifier) @local)
(destructured_parameter (identifier) @local)
(optional_parameter name: (identifier) @local)
(keyword_parameter name: (identifier) @local)
(splat_parameter name: (identifier) @local)
(hash_splat_parameter name: (identifier) @local)
(block_parameter name: (identifier) @local)
(exception_variable (identifier) @local)
(for pattern: (identifier) @local)
(instance_variable) @ref.field
(scope_resolution) @ref.qualified_type
(constant) @ref.type
(superclass (constant) @ref.base)
(superclass (scope_resolution) @ref.base)
(program) @ref.more

(call !receiver arguments: (argument_list (string))) @import

(assignment left: (identifier)) @bind
(block_parameters) @bind
(assignment left: (instance_variable) right: (call)) @bind
