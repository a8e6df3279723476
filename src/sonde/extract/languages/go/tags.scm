(function_declaration) @def.function
(method_declaration) @def.method
(method_elem) @def.method
(type_spec) @def.type_alias
(type_spec type: (struct_type)) @def.struct
(type_spec type: (interface_type)) @def.interface
(type_alias) @def.type_alias
(type_spec type: (struct_type (field_declaration_list (field_declaration name: (_)) @def.field)))
(source_file (const_declaration (const_spec) @def.constant))
(source_file (var_declaration (var_spec) @def.variable))
(source_file (var_declaration (var_spec_list (var_spec) @def.variable)))

(call_expression function: (identifier) @ref.call)
(call_expression function: (selector_expression) @ref.call)
(type_conversion_expression type: (generic_type type: (_) @ref.call))
(selector_expression) @ref.field
(argument_list (identifier) @ref.name)
(keyed_element value: (literal_element (identifier) @ref.name))
(literal_value (literal_element (identifier) @ref.name))

(qualified_type) @ref.type
(_ type: (type_identifier) @ref.type)
(_ result: (type_identifier) @ref.type)
(_ element: (type_identifier) @ref.type)
(pointer_type (type_identifier) @ref.type)
(map_type key: (type_identifier) @ref.type)
(map_type value: (type_identifier) @ref.type)
(channel_type value: (type_identifier) @ref.type)
(type_elem (type_identifier) @ref.type)
(field_declaration !name type: (type_identifier) @ref.base)
(field_declaration !name type: (qualified_type) @ref.base)
(field_declaration !name type: (generic_type type: (_) @ref.base))
(interface_type (type_elem . (type_identifier) @ref.base .))
(interface_type (type_elem . (qualified_type) @ref.base .))

(import_spec) @import

(short_var_declaration) @bind
(range_clause left: (_)) @bind
(var_spec type: (_)) @bind
(method_declaration receiver: (parameter_list (parameter_declaration) @bind))
(func_literal parameters: (parameter_list (parameter_declaration) @bind))
