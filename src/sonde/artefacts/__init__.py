"""What a project says of itself: its constitution, gotchas and runbook."""
