class_name Ware
extends RefCounted
## A game's own class, named like a message of wire_test/v1/shop.proto: both must get along.

## Only the game's class has this.
var is_of_the_game: bool = true
