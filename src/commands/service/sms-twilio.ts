import type { TwilioSMS } from "../../index.ts";
import { addCredentials, credentialsDetails, credentialsOption } from "./credentials.ts";
import { defineService } from "./define-service.ts";
import { from, message, to, twilio } from "./phone.ts";

export const smsTwilio = defineService({
  verb: "sms-twilio",
  summary: "Send a text message through Twilio",
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
