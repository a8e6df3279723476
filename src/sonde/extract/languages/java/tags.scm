(class_declaration) @def.class
(record_declaration) @def.class
(interface_declaration) @def.interface
(annotation_type_declaration) @def.interface
(enum_declaration) @def.enum
(enum_constant) @def.constant
(method_declaration) @def.method
(annotation_type_element_declaration) @def.method
(constructor_declaration) @def.constructor
(compact_constructor_declaration) @def.constructor
(field_declaration) @def.field
(constant_declaration) @def.field
(record_declaration parameters: (formal_parameters (formal_parameter) @def.property))

(annotation) @decorator
(marker_annotation) @decorator

(method_invocation) @ref.call
(object_creation_expression type: (type_identifier) @ref.call)
(object_creation_expression type: (scoped_type_identifier) @ref.call)
(object_creation_expression type: (generic_type . (_) @ref.call))
(method_reference) @ref.more
(field_access) @ref.field

(superclass (type_identifier) @ref.base)
(superclass (scoped_type_identifier) @ref.base)
(superclass (generic_type . (_) @ref.base))
(super_interfaces (type_list (type_identifier) @ref.base))
(super_interfaces (type_list (scoped_type_identifier) @ref.base))
(super_interfaces (type_list (generic_type . (_) @ref.base)))
(extends_interfaces (type_list (type_identifier) @ref.base))
(extends_interfaces (type_list (scoped_type_identifier) @ref.base))
(extends_interfaces (type_list (generic_type . (_) @ref.base)))

(throw_statement (object_creation_expression type: (_) @ref.raise))
(throws (type_identifier) @ref.raise)
(throws (scoped_type_identifier) @ref.raise)

(scoped_type_identifier) @ref.qualified_type
(type_identifier) @ref.type

(argument_list (identifier) @ref.name)

(import_declaration) @import

(local_variable_declaration) @bind
(resource type: (_)) @bind
(enhanced_for_statement) @bind
(catch_formal_parameter) @bind
(instanceof_expression name: (_)) @bind
(lambda_expression) @lambda
