"""Generated from proto/ by `make proto`: change the .proto files, not this."""
