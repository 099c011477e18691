"""Tools of the repository: stubs, compiled rules, mutants, log fixtures. No floor needs them."""
