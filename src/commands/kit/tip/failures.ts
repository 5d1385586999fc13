import { CommandError } from "../failures/command-error.ts";

interface Meaning {
  readonly code: string;
  readonly exit: number;
  readonly why: string;
  readonly next: string;
}

/** What the codes of the protocol mean to whoever runs a command. */
const meanings: Readonly<Record<string, Meaning>> = {
  invalid_input: { code: "tip.invalid_input", exit: 2, why: "", next: "Fix the arguments." },
  not_installed: {
    code: "tip.not_installed",
    exit: 2,
    why: "",
    next: "Install the package, or use another transport with --over.",
  },
  invalid_payload: {
    code: "tip.invalid_payload",
    exit: 3,
    why: "The server cannot read the request, or does not store what is in it.",
    next: 'Check it with "iot tip decode".',
  },
  invalid_method: {
    code: "tip.invalid_method",
    exit: 3,
    why: "A request begins with PUSH, PULL or PING.",
    next: 'Check it with "iot tip decode".',
  },
  payload_too_large: {
    code: "tip.payload_too_large",
    exit: 3,
    why: "More than 16,384 bytes.",
    next: "Send fewer variables at a time.",
  },
  invalid_token: {
    code: "tip.invalid_token",
    exit: 5,
    why: "The hash is unknown or expired, or its authorization does not allow this.",
    next: 'Run "iot service-auth list".',
  },
  auth_failed: {
    code: "tip.auth_failed",
    exit: 5,
    why: "The authorization, the key or the device is another one.",
    next: 'Run "iot service-auth list", and check the serial number.',
  },
  device_not_found: {
    code: "tip.device_not_found",
    exit: 6,
    why: "The profile has no active device with this serial number.",
    next: 'Run "iot device list".',
  },
  variable_not_found: {
    code: "tip.variable_not_found",
    exit: 6,
    why: "None of the variables has a value.",
    next: 'Run "iot device data list".',
  },
  invalid_seq: {
    code: "tip.invalid_seq",
    exit: 7,
    why: "The counter is not above the last one.",
    next: "Use --seq auto, or a higher number.",
  },
  rate_limited: {
    code: "tip.rate_limited",
    exit: 9,
    why: "The requests of this minute are used up.",
    next: "Wait a minute.",
  },
  no_response: { code: "tip.no_response", exit: 10, why: "", next: "Check the address, and try again." },
  connection_failed: { code: "tip.connection_failed", exit: 10, why: "", next: "Check the address, and try again." },
};

const other: Meaning = { code: "tip.failed", exit: 1, why: "", next: "Try again later." };

interface Failure extends Error {
  readonly code: string;
}

// The class is loaded with the protocol, and this file is not.
const isTipError = (error: unknown): error is Failure =>
  error instanceof Error && error.name === "TipError" && "code" in error && typeof error.code === "string";

/** The failure of a command for an error of the protocol; others as they are. */
export function tipFailure(error: unknown): unknown {
  if (!isTipError(error)) return error;
  const { code, exit, why, next } = meanings[error.code] ?? other;
  const message = `${error.message.replace(/\.$/, "")}.`;
  return new CommandError(message, { code, exit, next, cause: error, ...(why !== "" && { why }) });
}
