"""The battle runtime: content, graphs, nodes and battles. Pure and synchronous; knows nothing of gRPC."""
