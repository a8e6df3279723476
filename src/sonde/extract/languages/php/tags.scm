(class_declaration) @def.class
(interface_declaration) @def.interface
(trait_declaration) @def.trait
(enum_declaration) @def.enum
(enum_case) @def.constant
(method_declaration) @def.method
(function_definition) @def.function
(const_element) @def.constant
; define('NAME', …): definition_name looks whether it is one
(expression_statement
  (function_call_expression function: (name) arguments: (arguments . (argument (string))))
) @def.constant
(expression_statement
  (function_call_expression function: (name) arguments: (arguments . (argument (encapsed_string))))
) @def.constant
(property_element) @def.field
(property_promotion_parameter) @def.field
(assignment_expression left: (member_access_expression object: (variable_name))) @def.field

(attribute_group) @decorator

(function_call_expression function: (name) @ref.call)
(function_call_expression function: (qualified_name) @ref.call)
(member_call_expression) @ref.call
(nullsafe_member_call_expression) @ref.call
(scoped_call_expression) @ref.call
(object_creation_expression (name) @ref.call)
(object_creation_expression (qualified_name) @ref.call)
(throw_expression (object_creation_expression (name) @ref.raise))
(throw_expression (object_creation_expression (qualified_name) @ref.raise))
(member_access_expression) @ref.field
(class_constant_access_expression) @ref.field
(scoped_property_access_expression) @ref.field
(argument !name (name) @ref.name)
(binary_expression (name) @ref.name)
(unary_op_expression (name) @ref.name)
(conditional_expression (name) @ref.name)
(assignment_expression right: (name) @ref.name)
(array_element_initializer (name) @ref.name)
(return_statement (name) @ref.name)
(echo_statement (name) @ref.name)
(named_type) @ref.type
(binary_expression operator: "instanceof" right: (name) @ref.type)
(binary_expression operator: "instanceof" right: (qualified_name) @ref.type)
(base_clause (_) @ref.base)
(class_interface_clause (_) @ref.base)
(use_declaration (name) @ref.base)
(use_declaration (qualified_name) @ref.base)

(namespace_use_declaration) @import
(require_expression) @import
(require_once_expression) @import
(include_expression) @import
(include_once_expression) @import

(assignment_expression left: (variable_name) right: [
  (object_creation_expression)
  (member_call_expression)
  (nullsafe_member_call_expression)
  (member_access_expression)
  (nullsafe_member_access_expression)
  (class_constant_access_expression)
  (scoped_call_expression)
  (function_call_expression)
  (clone_expression)
]) @bind
(foreach_statement) @bind
((comment) @bind (#match? @bind "@var"))
(anonymous_function parameters: (formal_parameters (simple_parameter type: (_)) @bind))
(arrow_function parameters: (formal_parameters (simple_parameter type: (_)) @bind))
(catch_clause) @bind
