"""An agent's loop: a task begins, is planned, fails, and asks again; nothing is sent twice."""
