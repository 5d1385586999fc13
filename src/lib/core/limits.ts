/**
 * The numbers of the business-constant table (specification, section 9), each named with its unit.
 * Nothing else in the library writes one of these as a literal.
 */

/** Longest time a timer can measure, almost 25 days. */
export const MAX_TIMER_MS = 2_147_483_647;
/** Time one attempt may take, from connect to the last byte of the body. */
export const REQUEST_TIMEOUT_MS = 60_000;
/** Attempts per request, the first included. */
export const REQUEST_ATTEMPTS = 5;
/** Wait between two attempts. */
export const RETRY_DELAY_MS = 1_500;
/** Longest `Retry-After` that is waited for; a longer one ends the call. */
export const MAX_RETRY_AFTER_MS = 60_000;
/** Longest time to wait for a connection; the request timeout applies when it is shorter. */
export const CONNECT_TIMEOUT_MS = 10_000;
/** Redirects followed for one attempt. */
export const MAX_REDIRECTS = 20;
/** Time a file of the snippet catalogue may take; there is one attempt. */
export const SNIPPET_TIMEOUT_MS = 10_000;
/** Largest reply that is read, in bytes after decompression. */
export const MAX_REPLY_BYTES = 256 * 1024 * 1024;
/** Encodings of one reply, one inside the other, that are undone. */
export const MAX_REPLY_ENCODINGS = 3;

/** Wait of a caller that shared a request whose connection failed, before it sends its own. */
export const SHARED_REQUEST_WAIT_MS = 100;
/** How long a cached reply stays valid when its route names no other time. */
export const CACHE_TTL_MS = 5_000;
/** How long a dictionary stays in the cache. */
export const DICTIONARY_CACHE_TTL_MS = 3_600_000;
/** Entries the cache holds; the least recently used one leaves first. */
export const CACHE_MAX_ENTRIES = 10_000;

/** Bytes of one part of an upload. */
export const UPLOAD_PART_BYTES = 7_340_032;
/** Parts of one upload that are under way at the same time. */
export const UPLOAD_LANES = 3;
/** Tries for one part, the first included. */
export const UPLOAD_PART_TRIES = 5;
/** Wait between two tries of a part. */
export const UPLOAD_PART_WAIT_MS = 2_000;
/** Tries to complete an upload. */
export const UPLOAD_END_TRIES = 3;
/** Wait between two tries to complete. */
export const UPLOAD_END_WAIT_MS = 1_000;
/** Smallest part the storage takes, except for the last one. */
export const UPLOAD_MIN_PART_BYTES = 5 * 1024 * 1024;

/** Lines of an analysis' console that wait to be sent; further ones are left out. */
export const MAX_WAITING_LINES = 1_000;
/** Characters of the lines that wait. */
export const MAX_WAITING_CHARS = 4 * 1024 * 1024;

/** Files and folders of one page of a file list. */
export const FILE_LIST_QTY = 300;
/** Payments of one page of the payment history. */
export const PAYMENT_HISTORY_AMOUNT = 10;

/** Records read to take values out of dropdowns. */
export const DROPDOWN_QTY = 999;
/** Tokens of a device among which the one for a downlink is looked for. */
export const DOWNLINK_TOKEN_AMOUNT = 10;

export const LIST_PAGE = 1;
export const LIST_AMOUNT = 20;

/** Records per request of a stream, unless the caller names another number. */
export const STREAM_BATCH_QTY = 1_000;
/** Largest page of a device-list stream. */
export const MAX_DEVICE_STREAM_QTY = 1_000;
/** Largest page of a data stream. */
export const MAX_DATA_STREAM_QTY = 10_000;
/** Time from one page request of a data stream to the next. */
export const DATA_STREAM_WAIT_MS = 1_000;
/** Time from one page request of a device-list stream to the next. */
export const DEVICE_STREAM_WAIT_MS = 500;

/** First wait before an event stream connects again. */
export const EVENT_RECONNECT_MS = 1_000;
/** Largest event that is assembled before the stream is given up as broken. */
export const MAX_EVENT_BYTES = 64 * 1024 * 1024;
