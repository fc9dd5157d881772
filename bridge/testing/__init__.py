"""For tests of packs and games: a real server in a process of its own, and a client with readable asserts.

    from bridge.testing.client import Client
    from bridge.testing.process import ServerProcess

    with ServerProcess() as server, Client(server.address) as client:
        battle = client.start(pack="starter", encounter="first_fight", seed=7)
        battle.end_turn()
        battle.assert_entries("on_turn_start ...")

`bridge.testing.fixtures` has the same as pytest fixtures. It needs pytest, which comes with the
extra `test` (``gcs-battle[test]``); nothing else here does.
"""
