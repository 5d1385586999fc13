import type { SMS } from "../../index.ts";
import { defineService } from "./define-service.ts";

export const sms = defineService({
  verb: "sms",
  summary: "Send a text message through the platform",
  details: "Messages can have 140 characters at most.",
  path: "/analysis/services/sms/send",
  fields: [
    { name: "to", kind: "phone", summary: "number with country code: +15550100" },
    { name: "message", kind: "content", summary: "text; @file reads a file" },
  ],
  needs: { to: "--to +15550100", message: '--message "It is full."' },
  examples: [
    'iot service sms --to +15550100 --message "The tank is full." --analysis name:alert',
    'iot service sms --to +15550100 --message "The tank is full." --dry-run',
  ],
  related: ["iot service email"],
  send: (services, body) => services.sms.send(body as unknown as SMS),
});
