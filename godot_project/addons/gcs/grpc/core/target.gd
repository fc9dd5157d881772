extends RefCounted
## A channel's URL, taken apart.

const TcpTransport = preload("../transport/tcp_transport.gd")
const UnixTransport = preload("../transport/unix_transport.gd")
const TlsTransport = preload("../transport/tls_transport.gd")
const WebsocketTransport = preload("../transport/websocket_transport.gd")

const EXPECTED: String = "expected host:port, grpc://host:port, grpc+unix:/path, grpcs://host:port, " \
		+ "ws://host:port/path or wss://host:port/path"

## The URL as it was given.
var url: String = ""
## grpc, grpc+unix, grpcs, ws or wss.
var scheme: String = ""
var host: String = ""
var port: int = 0
## Of the unix socket.
var path: String = ""
## What is wrong with the URL; empty when nothing is.
var error: String = ""


func _init(text: String) -> void:
	url = text.strip_edges()
	if url.begins_with("grpc+unix:"):
		scheme = "grpc+unix"
		path = url.trim_prefix("grpc+unix:").trim_prefix("//")
		if path.is_empty():
			error = "no path in \"%s\"; %s" % [url, EXPECTED]
		return
	var rest: String = url
	scheme = "grpc"
	if url.contains("://"):
		scheme = url.get_slice("://", 0)
		rest = url.substr(scheme.length() + 3)
	if scheme not in ["grpc", "grpcs", "ws", "wss"]:
		error = "unknown scheme \"%s\" in \"%s\"; %s" % [scheme, url, EXPECTED]
		return
	_read_place(rest.get_slice("/", 0))


## True when the bytes are encrypted on their way.
func is_secure() -> bool:
	return scheme == "grpcs" or scheme == "wss"


## The default [code]:authority[/code].
func authority() -> String:
	if scheme == "grpc+unix":
		return "localhost"
	return "%s:%d" % ["[%s]" % host if host.contains(":") else host, port]


## A new byte channel to the target. Its failure tells when this engine or platform has none of that kind.
func connect_transport(tls: TLSOptions) -> GrpcTransport:
	if OS.has_feature("web") and not scheme.begins_with("ws"):
		var none: GrpcTransport = GrpcTransport.new()
		none.failure = GrpcFailure.Kind.UNSUPPORTED
		none.failure_text = "a browser opens ws:// and wss:// alone"
		return none
	match scheme:
		"grpc+unix":
			return UnixTransport.new(path)
		"grpcs":
			return TlsTransport.new(host, port, tls)
		"ws", "wss":
			return WebsocketTransport.new(url, tls if scheme == "wss" else null)
	return TcpTransport.new(host, port)


func _read_place(place: String) -> void:
	var colon: int = place.rfind(":")
	if place.begins_with("["):
		var bracket: int = place.find("]")
		host = place.substr(1, bracket - 1) if bracket > 0 else ""
		colon = bracket + 1 if bracket > 0 and place.substr(bracket + 1, 1) == ":" else -1
	elif place.count(":") > 1:
		error = "IPv6 address without brackets in \"%s\"; %s" % [url, EXPECTED]
		return
	else:
		host = place.substr(0, colon) if colon >= 0 else place
	if host.is_empty():
		error = "no host in \"%s\"; %s" % [url, EXPECTED]
		return
	if colon < 0:
		port = {"grpcs": 443, "wss": 443, "ws": 80}.get(scheme, 0)
		if port == 0:
			error = "no port in \"%s\"; %s" % [url, EXPECTED]
		return
	var digits: String = place.substr(colon + 1)
	port = digits.to_int() if digits.is_valid_int() and digits.length() <= 5 else 0
	if port < 1 or port > 65_535:
		error = "port \"%s\" in \"%s\", expected 1 to 65535" % [digits, url]
