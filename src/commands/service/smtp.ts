import type { EmailSMTP } from "../../index.ts";
import { addSecretObject, credentialsDetails, credentialsOption } from "./credentials.ts";
import { defineService } from "./define-service.ts";
import { completeMail, mailFields, mailNeeds, mailOptions, needContent } from "./mail.ts";

export const smtp = defineService({
  verb: "smtp",
  summary: "Send an email through your own SMTP server",
  details: credentialsDetails,
  path: "/analysis/services/email-smtp/send",
  fields: mailFields,
  options: [...mailOptions, credentialsOption("host, port, username and password")],
  needs: mailNeeds,
  examples: [
    'iot service smtp --to jo@example.test --from plant@example.test --subject Tank --message "It is full." --credentials smtp.json --analysis name:alert',
    'iot service smtp --to jo@example.test --subject Tank --message "It is full." --credentials - --dry-run < smtp.json',
  ],
  related: ["iot service email", "iot service sendgrid"],
  async complete(ctx, input, body) {
    await completeMail(ctx, input, body);
    needContent(body);
    const example = { host: "mail.example.test", port: 587, username: "…", password: "…" };
    await addSecretObject(ctx, input, body, "smtp_secret", example);
  },
  send: (services, body) => services.smtp.send(body as unknown as EmailSMTP),
});
