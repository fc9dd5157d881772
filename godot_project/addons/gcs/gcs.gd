extends GcsClient
## The autoload [code]Gcs[/code], which the plugin adds to the project: the battle client of the game. See [GcsClient].
