import { defineService } from "./define-service.ts";

export const consoleLine = defineService({
  verb: "console",
  summary: "Write a line to the console of an analysis",
  path: "/analysis/services/console/send",
  fields: [
    { name: "message", kind: "content", summary: "the line; @file reads a file" },
    { name: "time", member: "timestamp", kind: "instant", summary: "time of the line (now)" },
  ],
  needs: { message: '--message "The tank is full."' },
  examples: [
    'iot service console --message "The tank is full." --analysis name:alert',
    'iot service console --message "The tank was full." --time -1h --dry-run',
  ],
  related: ["iot analysis console"],
  send(services, { message, timestamp }) {
    const time = typeof timestamp === "string" || typeof timestamp === "number" ? new Date(timestamp) : undefined;
    return services.console.log(String(message), time);
  },
});
