import type { SMS, TwilioSMS, TwilioWhatsapp } from "../../index.ts";
import type { Command } from "../kit/command/define.ts";
import { usageError } from "../kit/failures/command-error.ts";
import type { BodyField } from "../kit/resource/body.ts";
import { addCredentials, credentialsDetails, credentialsOption } from "./credentials.ts";
import { defineService } from "./define-service.ts";

const to: BodyField = { flag: "to", value: "number", summary: "number with its country: +15550100" };
const from: BodyField = { flag: "from", value: "number", summary: "number of the Twilio account" };
const message: BodyField = { flag: "message", summary: "text; @file reads it" };
const twilio = ["twilio_sid", "twilio_token"] as const;

const sms = defineService({
  verb: "sms",
  summary: "Send a text message by the platform",
  details: "A text has 140 characters at most.",
  path: "/analysis/services/sms/send",
  fields: [to, message],
  needs: { to: "--to +15550100", message: '--message "It is full."' },
  examples: [
    'iot service sms --to +15550100 --message "The tank is full." --analysis name:alert',
    'iot service sms --to +15550100 --message "The tank is full." --dry-run',
  ],
  related: ["iot service sms-twilio"],
  send: (services, body) => services.sms.send(body as unknown as SMS),
});

const smsTwilio = defineService({
  verb: "sms-twilio",
  summary: "Send a text message by Twilio",
  details: credentialsDetails,
  path: "/analysis/services/sms-twilio/send",
  fields: [to, from, message],
  options: [credentialsOption("twilio_sid and twilio_token")],
  needs: { to: "--to +15550100", from: "--from +15550199", message: '--message "It is full."' },
  examples: [
    'iot service sms-twilio --to +15550100 --from +15550199 --message "It is full." --credentials twilio.json --analysis name:alert',
    "iot service sms-twilio --to +15550100 --from +15550199 --message Full --credentials - --dry-run < twilio.json",
  ],
  related: ["iot service sms", "iot service whatsapp"],
  complete: (ctx, input, body) => addCredentials(ctx, input, body, twilio),
  send: (services, body) => services.twilio.send(body as unknown as TwilioSMS),
});

const whatsapp = defineService({
  verb: "whatsapp",
  summary: "Send a WhatsApp message by Twilio",
  details: credentialsDetails,
  path: "/analysis/services/whatsapp-twilio/send",
  fields: [
    to,
    from,
    message,
    { flag: "content-sid", value: "id", summary: "template of the Twilio account, instead of a text" },
    { flag: "content-variables", kind: "json", summary: "what stands for the variables of the template, or @file" },
  ],
  options: [credentialsOption("twilio_sid and twilio_token")],
  needs: { to: "--to +15550100", from: "--from +15550199" },
  examples: [
    'iot service whatsapp --to +15550100 --from +15550199 --message "It is full." --credentials twilio.json --analysis name:alert',
    `iot service whatsapp --to +15550100 --from +15550199 --content-sid HX0000 --content-variables '{"1":"Tank 7"}' --credentials twilio.json --dry-run`,
  ],
  related: ["iot service sms-twilio"],
  async complete(ctx, input, body) {
    if (body["message"] === undefined && body["content_sid"] === undefined) {
      throw usageError("The message needs a text or a template.", {
        code: "usage.missing_value",
        next: "Give it with --message, or with --content-sid.",
      });
    }
    await addCredentials(ctx, input, body, twilio);
  },
  send: (services, body) => services.twilio_whatsapp.send(body as unknown as TwilioWhatsapp),
});

export const phoneCommands: readonly Command[] = [sms, smsTwilio, whatsapp];
