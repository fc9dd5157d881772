extends RefCounted
## The status of a call out of trailers, HTTP status or RST_STREAM code (gRPC's PROTOCOL-HTTP2).

const Frames = preload("../http2/frames.gd")
const MetadataCodec = preload("metadata_codec.gd")

const HEX: String = "0123456789abcdefABCDEF"


## The status in trailers, or in the headers of a response without a body. Without [code]grpc-status[/code] it is made
## up from [param http_status].
static func from_trailers(fields: PackedStringArray, http_status: int) -> GrpcStatus:
	var text: String = MetadataCodec.find(fields, "grpc-status")
	if text.is_empty():
		return from_http(http_status)
	var status: GrpcStatus = GrpcStatus.new()
	status.message = percent_decode(MetadataCodec.find(fields, "grpc-message"))
	status.metadata = MetadataCodec.decode(fields)
	status.details = MetadataCodec.decode_base64(MetadataCodec.find(fields, "grpc-status-details-bin"))
	var number: int = text.to_int() if text.is_valid_int() and text.length() <= 3 else -1
	if number < 0 or number > GrpcStatus.Code.UNAUTHENTICATED:
		status.code = GrpcStatus.Code.UNKNOWN
		status.message = (
				"grpc-status \"%s\" is none of gRPC's codes. " % text.c_escape() + status.message).strip_edges()
	else:
		status.code = number as GrpcStatus.Code
	status.retryable = status.code == GrpcStatus.Code.UNAVAILABLE
	return status


## The status for a response that has none of its own.
static func from_http(http_status: int) -> GrpcStatus:
	var code: GrpcStatus.Code = GrpcStatus.Code.UNKNOWN
	match http_status:
		200:
			return GrpcStatus.make(code, "the server ended the call without a grpc-status")
		400:
			code = GrpcStatus.Code.INTERNAL
		401:
			code = GrpcStatus.Code.UNAUTHENTICATED
		403:
			code = GrpcStatus.Code.PERMISSION_DENIED
		404:
			code = GrpcStatus.Code.UNIMPLEMENTED
		429, 502, 503, 504:
			code = GrpcStatus.Code.UNAVAILABLE
	var status: GrpcStatus = GrpcStatus.make(code,
			"the server answered with HTTP status %d instead of gRPC" % http_status)
	status.retryable = code == GrpcStatus.Code.UNAVAILABLE
	return status


## The status for a stream that the server reset.
static func from_reset(error_code: int) -> GrpcStatus:
	var code: GrpcStatus.Code = GrpcStatus.Code.INTERNAL
	match error_code:
		Frames.REFUSED_STREAM:
			return GrpcStatus.make_unsent("the server refused the stream")
		Frames.CANCEL:
			code = GrpcStatus.Code.CANCELLED
		Frames.ENHANCE_YOUR_CALM:
			code = GrpcStatus.Code.RESOURCE_EXHAUSTED
		Frames.INADEQUATE_SECURITY:
			code = GrpcStatus.Code.PERMISSION_DENIED
		Frames.STREAM_CLOSED, Frames.HTTP_1_1_REQUIRED:
			code = GrpcStatus.Code.UNKNOWN
		_:
			if error_code > Frames.HTTP_1_1_REQUIRED:
				code = GrpcStatus.Code.UNKNOWN
	var status: GrpcStatus = GrpcStatus.make(code, "the server reset the stream: %s" % Frames.error_name(error_code))
	status.retryable = error_code == Frames.ENHANCE_YOUR_CALM
	return status


## Decodes the percent-encoded UTF-8 of [code]grpc-message[/code]. A plus sign stays one; what is no valid encoding
## stays as it is. Headers come as Latin-1, so that a character is a byte; some servers leave UTF-8 unencoded.
static func percent_decode(text: String) -> String:
	var bytes: PackedByteArray = PackedByteArray()
	var at: int = 0
	while at < text.length():
		var byte: int = text.unicode_at(at) & 0xff
		if byte == 0x25 and at + 2 < text.length() and HEX.contains(text[at + 1]) and HEX.contains(text[at + 2]):
			byte = text.substr(at + 1, 2).hex_to_int()
			at += 2
		bytes.push_back(byte)
		at += 1
	return bytes.get_string_from_utf8() if _is_utf8(bytes) else text


## True for well-formed UTF-8 without NUL; the engine logs an error for anything else.
static func _is_utf8(bytes: PackedByteArray) -> bool:
	var at: int = 0
	while at < bytes.size():
		var first: int = bytes[at]
		var more: int = 0
		var least: int = 1
		var point: int = first
		if first >= 0xf0 and first <= 0xf4:
			more = 3
			least = 0x10000
			point = first & 0x07
		elif first >= 0xe0 and first <= 0xef:
			more = 2
			least = 0x800
			point = first & 0x0f
		elif first >= 0xc2 and first <= 0xdf:
			more = 1
			least = 0x80
			point = first & 0x1f
		elif first >= 0x80:
			return false
		if at + more >= bytes.size():
			return false
		for step: int in range(1, more + 1):
			if bytes[at + step] & 0xc0 != 0x80:
				return false
			point = point << 6 | bytes[at + step] & 0x3f
		if point < least or point > 0x10ffff or (point >= 0xd800 and point <= 0xdfff):
			return false
		at += more + 1
	return true
