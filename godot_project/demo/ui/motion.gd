extends RefCounted
## How lively the demo is, in one place for everything that moves by itself.

## Whether to leave out what moves without need: idle breathing, shaking and lightning.
static var calm: bool = false


## [param time] for idle motion; standing still when the player wants it calm.
static func idle(time: float) -> float:
	return 0.0 if calm else time
