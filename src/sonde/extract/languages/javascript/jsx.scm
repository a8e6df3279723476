; a component in markup is called
((jsx_opening_element name: (_) @ref.call) (#match? @ref.call "^[A-Z]|[.]"))
((jsx_self_closing_element name: (_) @ref.call) (#match? @ref.call "^[A-Z]|[.]"))
(jsx_expression (identifier) @ref.name)
