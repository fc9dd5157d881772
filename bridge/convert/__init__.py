"""Between the runtime's objects and the wire: events, state and its changes, actions, payloads."""
