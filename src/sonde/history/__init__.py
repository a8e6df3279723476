"""What the repository's own commits say: messages and the functions they changed."""
