"""From the text of a task to a query: names, words, traces, paths and the user's intent."""
