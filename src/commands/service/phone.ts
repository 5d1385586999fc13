import type { BodyField } from "../kit/resource/body.ts";

export const to: BodyField = { flag: "to", value: "number", summary: "number with its country: +15550100" };
export const from: BodyField = { flag: "from", value: "number", summary: "number of the Twilio account" };
export const message: BodyField = { flag: "message", summary: "text; @file reads it" };
export const twilio = ["twilio_sid", "twilio_token"] as const;
