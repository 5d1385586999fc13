import type { BodyField } from "../kit/resource/body.ts";

export const to: BodyField = { flag: "to", value: "number", summary: "number with country code: +15550100" };
export const from: BodyField = { flag: "from", value: "number", summary: "Twilio number to send from" };
export const message: BodyField = { flag: "message", summary: "text; @file reads a file" };
export const twilio = ["twilio_sid", "twilio_token"] as const;
