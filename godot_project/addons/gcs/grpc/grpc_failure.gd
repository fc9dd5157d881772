class_name GrpcFailure
extends RefCounted
## Why a connection cannot be made or was lost, so that a game can tell its player what to do.
##
## [method describe] gives a sentence for each kind. The channel adds the address and what it saw.

## Reasons that [member GrpcChannel.failure] can name.
enum Kind {
	## Nothing is wrong.
	NONE,
	## The URL cannot be read.
	BAD_ADDRESS,
	## This engine or platform lacks the byte channel that the URL asks for.
	UNSUPPORTED,
	## The host name is unknown.
	NAME_NOT_FOUND,
	## Nothing listens at the address.
	NO_SERVER,
	## The address did not answer in time.
	TIMEOUT,
	## TLS could not be agreed on: certificate, host name, or no TLS at that port.
	TLS_FAILED,
	## The port speaks TLS, the URL does not.
	NEEDS_TLS,
	## A gRPC server ends TLS itself there, which demands ALPN. Godot has none: a relay is needed in front.
	NEEDS_RELAY,
	## Something answers at the port, but it is not HTTP/2.
	WRONG_PROTOCOL,
	## The server is there and refuses the token (status UNAUTHENTICATED).
	TOKEN_REFUSED,
	## The connection stood and broke.
	CONNECTION_LOST,
	## The connection stood and the server fell silent: a keepalive PING stayed unanswered.
	SERVER_SILENT,
	## The server said goodbye (GOAWAY).
	SERVER_CLOSING,
	## The server broke the rules of HTTP/2.
	PROTOCOL_ERROR,
	## A relay or proxy answers and does not pass the connection on: the server behind it is away, or it has too many
	## connections.
	RELAY_REFUSED,
	## An option holds what no header can: the token, the user agent or the authority.
	BAD_OPTION,
}


## A sentence in plain words for [param kind].
static func describe(kind: Kind) -> String:
	match kind:
		Kind.NONE:
			return "no failure"
		Kind.BAD_ADDRESS:
			return "the address cannot be read"
		Kind.UNSUPPORTED:
			return "this engine cannot open such a connection"
		Kind.NAME_NOT_FOUND:
			return "the host name is unknown"
		Kind.NO_SERVER:
			return "no server answers there"
		Kind.TIMEOUT:
			return "the server did not answer in time"
		Kind.TLS_FAILED:
			return "TLS could not be agreed on"
		Kind.NEEDS_TLS:
			return "the port speaks TLS: use grpcs:// and the address of a relay"
		Kind.NEEDS_RELAY:
			return "the port wants TLS with ALPN, which Godot cannot offer: connect to a TLS relay instead"
		Kind.WRONG_PROTOCOL:
			return "what answers there does not speak gRPC"
		Kind.TOKEN_REFUSED:
			return "the server refuses the token"
		Kind.CONNECTION_LOST:
			return "the connection was lost"
		Kind.SERVER_SILENT:
			return "the server fell silent"
		Kind.SERVER_CLOSING:
			return "the server closes the connection"
		Kind.PROTOCOL_ERROR:
			return "the server broke the rules of HTTP/2"
		Kind.RELAY_REFUSED:
			return "a relay answers, but does not pass the connection on"
		Kind.BAD_OPTION:
			return "an option cannot be sent"
	return "unknown failure %d" % kind
