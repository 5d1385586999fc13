import type { Gap } from "../core/gap.ts";

/** Assumptions about the device protocol. Its responses have no header that could name them. */
export const tipGaps = {
  details: { subject: "TagoTiP: details with spaces", choice: "accepted", general: true },
  heads: {
    subject: "TagoTiP: malformed frames",
    choice:
      "checked in this order: size, UTF-8, method, number of fields, counter, hash, serial, authorization, device, rate, " +
      "counter again, body; the counter is echoed from the number of fields on",
    general: true,
  },
  escapes: { subject: "TagoTiP: unknown escapes, control characters", choice: "invalid_payload", general: true },
  keys: { subject: "TagoTiP: a metadata key that occurs twice", choice: "the last one counts", general: true },
  refusals: {
    subject: "TagoTiP: records that the store rejects",
    choice: "invalid_payload, the reason is in the live inspector; no limit of 100 kB for each device",
    general: true,
  },
  pulls: {
    subject: "TagoTiP: response to PULL",
    choice:
      "in the order of the request, each name once, without groups that the store made; above 16,384 bytes payload_too_large",
    general: true,
  },
  polledCommands: {
    subject: "TagoTiP: command as response to PING",
    choice: "repeats the counter of the PING",
    general: true,
  },
  commandTexts: {
    subject: "POST /tip/cmd",
    choice:
      "protocol is udp, tcp, http or mqtt; a body with |, a line feed or another control character is 400; the text of " +
      "the response; also for tokens of analyses",
    general: true,
  },
  sequences: {
    subject: "TagoTiP: counters",
    choice:
      "rise strictly for each device, over all transports but plain HTTP; used from when device and rate are settled, also " +
      "when the body is bad; survive a restart",
    general: true,
  },
  methods: {
    subject: "TagoTiP: unknown methods",
    choice: "invalid_method, also in envelopes; over HTTP 405 with Allow",
    general: true,
  },
  envelopes: {
    subject: "TagoTiP: envelopes that are too short, or name another serial inside",
    choice: "auth_failed",
    general: true,
  },
  plainStart: {
    subject: "TagoTiP: envelopes that begin with A",
    choice: "unsupported_cipher: AES-256-CCM with PULL looks like a plain ACK",
    general: true,
  },
  queues: {
    subject: "TagoTiP: commands that wait",
    choice:
      "100 for each device, then the oldest goes; for TCP to its open connections, else to the next; for UDP and HTTP to a " +
      "PING over UDP or HEAD, which takes the oldest of the queue; for MQTT to those who have subscribed, else lost; a line " +
      "over TCP that is too long is dropped to its end",
    general: true,
  },
  broker: {
    subject: "TagoTiP over MQTT",
    choice:
      "wrong credentials: 5, in MQTT 5 0x87; wildcards inside $tip/ and $tips/; messages to other topics are dropped; the " +
      "6th subscription: 0x80, in MQTT 5 0x87; topics above 128 characters and the end of a life close the connection",
    general: true,
  },
  finding: {
    subject: "TagoTiP: which device",
    choice:
      "the newest active one of the profile with the serial number, on any network; any service authorization of the " +
      "profile that may write for PUSH, or read for PULL",
    general: true,
  },
  locations: {
    subject: "TagoTiP: location as value",
    choice: "the string lat,lng with ,alt if there is one; the altitude is the third coordinate",
    general: true,
  },
  parsers: {
    subject: "TagoTiP: payload parsers",
    choice: "one that throws: invalid_payload; a raw payload without parser is stored as the string variable payload",
    general: true,
  },
  parserHelper: { subject: "TagoTiP: helper that parses frames in payload parsers", choice: "none", general: true },
  securedOnly: { subject: 'TagoTiP: devices set to "TagoTips only"', choice: "no such setting", general: true },
  regions: {
    subject: "TagoTiP: lives and rates of regions",
    choice: "the same everywhere; rates and connections of an address are limited with --rate-limits",
    general: true,
  },
} as const satisfies Readonly<Record<string, Gap>>;
