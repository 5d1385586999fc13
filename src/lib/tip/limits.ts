/** Numbers of the protocol TagoTiP, each named with its unit. docs/internals/platform/tip.md, Limits. */

/** Bytes of a frame, a body over HTTP, a payload over MQTT or the text in an envelope, without a final line feed. */
export const FRAME_MAX_BYTES = 16_384;
/** Bytes of a response that is read: what fits a datagram. */
export const ACK_MAX_BYTES = 65_507;
/** Variables of a PUSH, names of a PULL. */
export const MAX_VARIABLES = 100;
/** Pairs of one block of metadata. */
export const MAX_PAIRS = 32;
/** Characters, all of one byte, of names, groups, metadata keys and serials. */
export const NAME_MAX_BYTES = 100;
/** Bytes of a unit as UTF-8. */
export const UNIT_MAX_BYTES = 25;
/** Largest counter. */
export const SEQ_MAX = 4_294_967_295;
/** Latest time that is a date, in milliseconds since 1970. */
export const TIME_MAX_MS = 8_640_000_000_000_000;
/** Bytes of an envelope before its ciphertext. */
export const HEADER_BYTES = 21;
