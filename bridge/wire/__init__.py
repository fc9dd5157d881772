"""Encoding: runtime objects to protobuf messages and back."""
