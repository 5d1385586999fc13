import type { TwilioWhatsapp } from "../../index.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { addCredentials, credentialsDetails, credentialsOption } from "./credentials.ts";
import { defineService } from "./define-service.ts";
import { from, message, to, twilio } from "./phone.ts";

export const whatsapp = defineService({
  verb: "whatsapp",
  summary: "Send a WhatsApp message through Twilio",
  details: credentialsDetails,
  path: "/analysis/services/whatsapp-twilio/send",
  fields: [
    to,
    from,
    message,
    { flag: "content-sid", value: "id", summary: "Twilio template, instead of --message" },
    { flag: "content-variables", kind: "json", summary: "template variables as JSON, or @file" },
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
      throw usageError("The message has no text or template.", {
        code: "usage.missing_value",
        next: "Add --message or --content-sid.",
      });
    }
    await addCredentials(ctx, input, body, twilio);
  },
  send: (services, body) => services.twilio_whatsapp.send(body as unknown as TwilioWhatsapp),
});
