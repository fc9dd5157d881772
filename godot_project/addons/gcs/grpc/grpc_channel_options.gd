class_name GrpcChannelOptions
extends RefCounted
## Settings of a [GrpcChannel]. Change them before [method GrpcChannel.open].

## Milliseconds a call may take when it sets no deadline of its own; 0 for no limit.
var default_deadline_ms: int = 15_000
## Milliseconds for one attempt to connect: name, TCP, TLS and the server's first frame together.
var connect_timeout_ms: int = 2_500
## Milliseconds to wait after the first failed attempt.
var backoff_initial_ms: int = 500
## Longest wait between two attempts, in milliseconds.
var backoff_max_ms: int = 10_000
## Factor from one wait to the next.
var backoff_multiplier: float = 1.6
## Each wait is made longer or shorter by up to this share, at random, so that clients do not return all at once.
var backoff_jitter: float = 0.2
## Milliseconds without a byte from the server after which a PING is sent; 0 turns keepalive off. The server must allow
## it (grpcio: [code]grpc.http2.min_ping_interval_without_data_ms[/code] at most this,
## [code]grpc.keepalive_permit_without_calls[/code] 1). A server that answers "too_many_pings" is pinged once in five
## minutes from then on.
var keepalive_interval_ms: int = 1_000
## Milliseconds without a byte after that PING until the server counts as gone.
var keepalive_timeout_ms: int = 1_500
## Largest message to receive, in bytes, after decompression. A larger one ends its call with RESOURCE_EXHAUSTED.
var max_receive_bytes: int = 4 * 1024 * 1024
## Largest message to send, in bytes.
var max_send_bytes: int = 4 * 1024 * 1024
## Bytes that may wait in one call for the server to take them; [method GrpcCall.send] answers [constant ERR_BUSY]
## beyond it. A single message is always taken when nothing waits.
var send_queue_bytes: int = 1024 * 1024
## Bytes that the server may send on one call before the client has taken them (HTTP/2 stream window).
var stream_window: int = 1024 * 1024
## Bytes that the server may send on all calls together before the client has taken them (HTTP/2 connection window).
var connection_window: int = 4 * 1024 * 1024
## Calls that may wait for a connection or a free stream; further ones end with RESOURCE_EXHAUSTED.
var max_waiting_calls: int = 1_000
## The [code]:authority[/code] of calls; empty: host and port of the URL.
var authority: String = ""
## Put before the addon's own name in the [code]user-agent[/code].
var user_agent: String = ""
## Sent with each call as [code]authorization: Bearer …[/code] when not empty. Use it over TLS, a unix socket or
## loopback.
var token: String = ""
## For [code]grpcs://[/code] and [code]wss://[/code]; null: the system's certificates.
var tls: TLSOptions = null


## Trusts the certificate in the PEM file at [param path], or those that it has signed, in place of the system's. On an
## error nothing changes.
func trust(path: String) -> Error:
	var certificate: X509Certificate = X509Certificate.new()
	var error: Error = certificate.load(path)
	if error == OK:
		tls = TLSOptions.client(certificate)
	return error
