"""The gRPC services: each method turns a request into calls of the bridge and the answer into a response."""
