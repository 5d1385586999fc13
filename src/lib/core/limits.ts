/**
 * Numbers of the platform, each named with its unit: its limits, and the defaults that programs rely on. Nothing else in
 * the library writes one of these as a literal. A number the client chose for itself stands beside its code.
 */

/** Time one attempt may take, from connect to the last byte of the body. */
export const REQUEST_TIMEOUT_MS = 60_000;
/** Attempts per request, the first included. */
export const REQUEST_ATTEMPTS = 5;
/** Wait between two attempts. */
export const RETRY_DELAY_MS = 1_500;

/** Wait of a caller that shared a request whose connection failed, before it sends its own. */
export const SHARED_REQUEST_WAIT_MS = 100;
/** How long a cached reply stays valid when its route names no other time. */
export const CACHE_TTL_MS = 5_000;
/** How long a dictionary stays in the cache. */
export const DICTIONARY_CACHE_TTL_MS = 3_600_000;

/** Bytes of one part of an upload. */
export const UPLOAD_PART_BYTES = 7_340_032;
/** Parts of one upload that are sent at the same time. */
export const UPLOAD_LANES = 3;
/** Attempts for one part, the first included. */
export const UPLOAD_PART_TRIES = 5;
/** Wait between two attempts of a part. */
export const UPLOAD_PART_WAIT_MS = 2_000;
/** Attempts to complete an upload. */
export const UPLOAD_END_TRIES = 3;
/** Smallest part the storage accepts, except for the last one. */
export const UPLOAD_MIN_PART_BYTES = 5 * 1024 * 1024;
/** Most parts of one upload. */
export const UPLOAD_MAX_PARTS = 10_000;
/** Longest path of a file, in ASCII characters: the storage counts bytes. */
export const FILE_PATH_MAX_CHARS = 1_024;

/** Files and folders per page of a file list. */
export const FILE_LIST_QTY = 300;
/** Payments per page of the payment history. */
export const PAYMENT_HISTORY_AMOUNT = 10;
/** Payments per page where all of them are read. */
export const ALL_PAYMENTS_AMOUNT = 100;

/** Records read to remove values from dropdowns. */
export const DROPDOWN_QTY = 999;
/** Tokens of a device that are searched for the one to send a downlink with. */
export const DOWNLINK_TOKEN_AMOUNT = 10;

/** First page of a list. */
export const LIST_PAGE = 1;
/** Rows per page of a list. */
export const LIST_AMOUNT = 20;
/** Rows per page where all rows of a list are read. */
export const ALL_ROWS_AMOUNT = 1_000;
/** Largest page of a list. */
export const MAX_LIST_AMOUNT = 10_000;
/** Bytes of one request that sends data. */
export const DATA_BODY_BYTES = 200 * 1024;
/** Largest page of a file list. */
export const MAX_FILE_LIST_QTY = 1_000;

/** Records per request of a stream, unless the caller sets another number. */
export const STREAM_BATCH_QTY = 1_000;
/** Largest page of a device-list stream. */
export const MAX_DEVICE_STREAM_QTY = 1_000;
/** Most records one request for data returns or deletes, per variable; the largest page of a data stream. */
export const MAX_DATA_STREAM_QTY = 10_000;
/** Time from one page request of a data stream to the next. */
export const DATA_STREAM_WAIT_MS = 1_000;
/** Time from one page request of a device-list stream to the next. */
export const DEVICE_STREAM_WAIT_MS = 500;

/** Records a mutable device can hold. */
export const MUTABLE_RECORDS = 50_000;
/** Most chunks an immutable device keeps besides the current one, by their period. */
export const MAX_CHUNK_RETENTION = { day: 31, week: 26, month: 36, quarter: 36 } as const;

/** Characters of the name of a device. */
export const DEVICE_NAME_MIN_CHARS = 3;
export const DEVICE_NAME_MAX_CHARS = 100;
/** Characters of the name of an analysis, connector, dictionary, entity, network, token, profile or account. */
export const NAME_MAX_CHARS = 100;
/** Characters of descriptions, messages and other long texts. */
export const LONG_TEXT_MAX_CHARS = 10_000;
/** Characters of other texts of a device. */
export const DEVICE_SERIAL_MAX_CHARS = 255;
export const MUTABLE_PATTERN_MAX_CHARS = 500;
/** Characters of the code that a service authorization is verified with. */
export const VERIFICATION_CODE_MAX_CHARS = 255;
/** Characters of a parameter of a device. */
export const PARAM_KEY_MAX_CHARS = 255;
export const PARAM_VALUE_MAX_CHARS = 10_000;
/** Tags of a resource, and the characters of each. */
export const MAX_TAGS = 30;
export const TAG_KEY_MAX_CHARS = 255;
export const TAG_VALUE_MAX_CHARS = 1_024;
/** Characters of the name of a portal user. */
export const RUN_USER_NAME_MAX_CHARS = 100;
/** Characters of the label of a dashboard, and its tabs. */
export const DASHBOARD_LABEL_MAX_CHARS = 255;
export const MAX_DASHBOARD_TABS = 10;
/** Buttons of a notification. */
export const MAX_NOTIFICATION_BUTTONS = 4;
/** Characters of a secret: of its key, and of its value. */
export const SECRET_KEY_MAX_CHARS = 100;
export const SECRET_MIN_CHARS = 6;
export const SECRET_MAX_CHARS = 2_048;
/** Form of the key of a translation. */
export const DICTIONARY_KEY = /^[A-Z0-9_]{2,100}$/;

/** Parts of a record. */
export const VARIABLE_MAX_CHARS = 100;
export const VALUE_MAX_BYTES = 6 * 1024;
export const UNIT_MAX_CHARS = 25;
export const GROUP_MAX_CHARS = 100;
export const METADATA_MAX_BYTES = 10 * 1024;

/** Characters of the values of an entity, by the type of their field. */
export const ENTITY_MAX_CHARS = { uuid: 100, string: 255, text: 30_000 } as const;
/** Rows of an entity in one request that adds or changes them. */
export const MAX_ENTITY_ROWS = 100;
/** Bytes of a JSON value of an entity. */
export const ENTITY_JSON_MAX_BYTES = 10 * 1024;

/** First wait before an event stream connects again. */
export const EVENT_RECONNECT_MS = 1_000;

// Chosen by the client, not by the platform, and shared by several files of `http`, `files`, `realtime` and `resources`.

/** Longest `Retry-After` that is waited for; a longer one aborts the call. */
export const MAX_RETRY_AFTER_MS = 60_000;
/** Longest time to wait for a connection; the request timeout applies when it is shorter. */
export const CONNECT_TIMEOUT_MS = 10_000;
/** Redirects followed per attempt. */
export const MAX_REDIRECTS = 20;
/** Timeout of a request to the snippet catalogue; there is one attempt. */
export const SNIPPET_TIMEOUT_MS = 10_000;
/** Largest response body, in bytes after decompression. */
export const MAX_REPLY_BYTES = 256 * 1024 * 1024;
/** Most arrays and objects inside each other in JSON of others: deeper ones overflow the stack of `JSON.stringify`. */
export const MAX_JSON_DEPTH = 1_000;
/** Most nested content encodings of one response. */
export const MAX_REPLY_ENCODINGS = 3;
/** Entries the cache holds; the least recently used one is removed first. */
export const CACHE_MAX_ENTRIES = 10_000;
