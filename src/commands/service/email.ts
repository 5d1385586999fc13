import type { Email } from "../../index.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { defineService } from "./define-service.ts";
import { completeMail, mailFields, mailNeeds, mailOptions, needContent } from "./mail.ts";

export const email = defineService({
  verb: "email",
  summary: "Send an email through the platform",
  path: "/analysis/services/email/send",
  fields: mailFields,
  options: [
    ...mailOptions,
    { name: "template", value: "name", summary: "portal email template, instead of subject and message" },
    { name: "param", kind: "pair", summary: "value of a template variable", repeat: true, needs: ["template"] },
  ],
  needs: { to: mailNeeds.to },
  examples: [
    'iot service email --to jo@example.test --subject Tank --message "It is full." --analysis name:alert',
    "iot service email --to jo@example.test --template report --param day=Monday --analysis name:alert --dry-run",
  ],
  related: ["iot run email-test"],
  async complete(ctx, input, body) {
    await completeMail(ctx, input.options, body);
    const { template: name, param: given } = input.options;
    if (name !== undefined) {
      const params = Object.fromEntries(given.map(({ key, value }) => [key, value]));
      body["template"] = { name, params };
    }
    if (body["template"] !== undefined) return;
    if (body["subject"] === undefined) {
      throw usageError("The message needs a subject.", {
        code: "usage.missing_value",
        next: "Add --subject Tank, or use a --template.",
      });
    }
    needContent(body);
  },
  send: (services, body) => services.email.send(body as unknown as Email),
});
