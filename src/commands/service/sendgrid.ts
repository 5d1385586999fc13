import type { EmailSendgrid } from "../../index.ts";
import { addCredentials, credentialsDetails, credentialsOption } from "./credentials.ts";
import { defineService } from "./define-service.ts";
import { completeMail, mailFields, mailNeeds, mailOptions, needContent } from "./mail.ts";

export const sendgrid = defineService({
  verb: "sendgrid",
  summary: "Send an email through SendGrid",
  details: credentialsDetails,
  path: "/analysis/services/email-sendgrid/send",
  fields: mailFields,
  options: [...mailOptions, credentialsOption("sendgrid_api_key")],
  needs: mailNeeds,
  examples: [
    'iot service sendgrid --to jo@example.test --from plant@example.test --subject Tank --message "It is full." --credentials sendgrid.json --analysis name:alert',
    "iot service sendgrid --to jo@example.test --subject Tank --html page.html --credentials - --dry-run < sendgrid.json",
  ],
  related: ["iot service email", "iot service smtp"],
  async complete(ctx, input, body) {
    await completeMail(ctx, input, body);
    needContent(body);
    await addCredentials(ctx, input, body, ["sendgrid_api_key"]);
  },
  send: (services, body) => services.sendgrid.send(body as unknown as EmailSendgrid),
});
