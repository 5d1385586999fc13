/** What a device asks for: to store data, to read last values, or a sign of life. */
export type TipMethod = "PUSH" | "PULL" | "PING";

/** A string, or its bytes as UTF-8. One final line feed is ignored. */
export type Input = string | Uint8Array;

/** A position. The parsers do not check its range. */
export interface TipLocation {
  /** Latitude in degrees. */
  lat: number;
  /** Longitude in degrees. */
  lng: number;
  /** Altitude in metres. */
  alt?: number;
}

/** What a variable can have besides its value, and a body as the default of all its variables. */
export interface TipMarks {
  /** Where it was measured. */
  location?: TipLocation;
  /** When it was measured, in milliseconds since 1970 UTC. */
  time?: number;
  /** Ties variables together: 1 to 100 of `a-z`, `0-9` and `_`. */
  group?: string;
  /** 1 to 32 pairs. Keys are formed as groups. */
  metadata?: Record<string, string>;
}

/**
 * A variable as it was read, with its own marks only: `toRecords` adds those of the body. `type` is the kind of its `value`:
 * a finite number, a string that is not empty, a boolean or a position.
 */
export type TipVariable = TipMarks & {
  /** 1 to 100 of `a-z`, `0-9` and `_`. */
  variable: string;
  /** Up to 25 bytes of UTF-8; never on a location. */
  unit?: string;
} & (
    | { type: "number"; value: number }
    | { type: "string"; value: string }
    | { type: "boolean"; value: boolean }
    | { type: "location"; value: TipLocation }
  );

/** The variables of a PUSH with their defaults. */
export type TipVariables = TipMarks & {
  /** Distinguishes it from a raw payload. */
  kind: "variables";
  /** 1 to 100; a name may occur several times. */
  variables: TipVariable[];
};

/** Bytes for the payload parser of the device. */
export interface TipRaw {
  /** How the bytes are written. */
  kind: "hex" | "base64";
  /** The digits as they were sent. */
  data: string;
}

/** Body of a PUSH. */
export type TipBody = TipVariables | TipRaw;

/** What a request says besides who sends it: its `method`, the `body` to store, or the 1 to 100 `names` to read. */
export type TipContent = { method: "PUSH"; body: TipBody } | { method: "PULL"; names: string[] } | { method: "PING" };

/** A request in plain text. */
export type TipFrame = TipContent & {
  /** Counter, 0 to 4,294,967,295. */
  seq?: number;
  /** Hash of the authorization: 16 hex digits in lower case. */
  auth: string;
  /** Serial number of the device. */
  serial: string;
};

/** The text of a request in an envelope, whose header has the rest. */
export type TipInner = TipContent & {
  /** Serial number of the device. */
  serial: string;
};

/** Kinds of responses. */
export type TipStatus = "OK" | "PONG" | "CMD" | "ERR";

/** A response, or a command that was not asked for. */
export interface TipAck {
  /** Counter of the request; absent on commands that were not asked for. */
  seq?: number;
  /** What it is: done, sign of life, command or error. */
  status: TipStatus;
  /** Rest of the line as it was sent: a count, variables, the command, or the code of an error. */
  detail?: string;
  /** Number of records stored; of OK with digits. */
  count?: number;
  /** Last values; of OK with a list of variables. */
  variables?: TipVariable[];
}

/** As `TipMarks`, for building. */
export interface TipMarksInput {
  /** Where it was measured. */
  readonly location?: TipLocation;
  /** When it was measured: a date, or whole milliseconds since 1970 UTC. */
  readonly time?: number | Date;
  /** Ties variables together: 1 to 100 of `a-z`, `0-9` and `_`. */
  readonly group?: string;
  /** Up to 32 pairs. Keys are formed as groups; numbers and booleans are written as strings. */
  readonly metadata?: Readonly<Record<string, string | number | boolean>>;
}

/** A variable to build. The kind follows from the value. */
export type TipVariableInput = TipMarksInput & {
  /** 1 to 100 of `a-z`, `0-9` and `_`. */
  readonly variable: string;
  /** Number, non-empty string, boolean, or a position. */
  readonly value: number | string | boolean | TipLocation;
  /** Up to 25 bytes of UTF-8; not on a location. */
  readonly unit?: string;
};

/** Body of a PUSH to build. */
export type TipBodyInput =
  | (TipMarksInput & {
      /** Distinguishes it from a raw payload. */
      readonly kind: "variables";
      /** 1 to 100; a name may occur several times. */
      readonly variables: readonly TipVariableInput[];
    })
  | Readonly<TipRaw>;

/** As `TipContent`, for building: a `method`, the `body` to store, or the 1 to 100 `names` to read. */
export type TipContentInput =
  | { readonly method: "PUSH"; readonly body: TipBodyInput }
  | { readonly method: "PULL"; readonly names: readonly string[] }
  | { readonly method: "PING" };

/** A request to build. */
export type TipFrameInput = TipContentInput & {
  /** Counter, 0 to 4,294,967,295. */
  readonly seq?: number;
  /** Hash of the authorization: 16 hex digits. */
  readonly auth: string;
  /** Serial number of the device: 1 to 100 letters, digits, `-` and `_`. */
  readonly serial: string;
};

/** The text of a request in an envelope, to build. */
export type TipInnerInput = TipContentInput & {
  /** Serial number of the device: 1 to 100 letters, digits, `-` and `_`. */
  readonly serial: string;
};

/** A response to build. `variables` counts before `count`, and `count` before `detail`. */
export interface TipAckInput {
  /** Counter of the request. */
  readonly seq?: number;
  /** What it is: done, sign of life, command or error. */
  readonly status: TipStatus;
  /** Command or code, without `|` and control characters. */
  readonly detail?: string;
  /** Number of records stored. */
  readonly count?: number;
  /** Last values, 1 to 100. */
  readonly variables?: readonly TipVariableInput[];
}

/** Payload of a publish over MQTT, where the topic has the rest. */
export interface TipPayload {
  /** Counter, 0 to 4,294,967,295. */
  seq?: number;
  /** Data of a push. */
  body?: TipBody;
  /** Variables of a pull. */
  names?: string[];
}

/** The beginning of a request, for a server: it authenticates before it reads the body. */
export interface TipHead {
  /** What is asked for. */
  method: TipMethod;
  /** Counter, 0 to 4,294,967,295. */
  seq?: number;
  /** Hash of the authorization: 16 hex digits in lower case. */
  auth: string;
  /** Serial number of the device. */
  serial: string;
  /** What follows, not checked yet; absent on PING. */
  body?: string;
}
