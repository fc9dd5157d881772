extends Node


func _ready() -> void:
	await RenderingServer.frame_post_draw
	var picture: Image = get_viewport().get_texture().get_image()
	print("picture %s %s" % [picture.get_size(), picture.get_pixel(160, 90).to_html(false)])
	get_tree().quit()
