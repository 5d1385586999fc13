/** Assumptions about the event stream. */
export const streamGaps = {
  limit: { subject: "Event streams", choice: "at most 1,000 at a time, then 503" },
  unknownChannel: { subject: "Event stream: unknown channel", choice: "400" },
  missedEvents: { subject: "Event stream: missed events", choice: "not sent again; Last-Event-ID is ignored" },
  frames: { subject: "Event stream: frames", choice: "carry channel, timestamp, payload", general: true },
  slowListener: { subject: "Event stream: slow listener", choice: "cut off when 4 MB wait for it", general: true },
} as const;
