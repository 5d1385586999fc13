import type { Email, EmailSendgrid, EmailSMTP } from "../../index.ts";
import { keyValue, option, optionList } from "../kit/command/arguments.ts";
import type { Command, CommandInput, OptionSpec } from "../kit/command/define.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import type { BodyField } from "../kit/resource/body.ts";
import { attachedFile } from "./attachments.ts";
import { addCredentials, addSecretObject, credentialsDetails, credentialsOption } from "./credentials.ts";
import { defineService } from "./define-service.ts";

const mailFields: readonly BodyField[] = [
  { flag: "to", kind: "list", value: "address", summary: "who receives it" },
  { flag: "from", value: "address", summary: "who sends it, and where answers go" },
  { flag: "subject", summary: "subject" },
  { flag: "message", summary: "plain text; @file reads it" },
];

const mailOptions: readonly OptionSpec[] = [
  { name: "html", value: "file", summary: "HTML file to send instead of --message; - is stdin" },
  { name: "attach", value: "file", summary: "file to send along, 5 MB at most", repeat: true },
];

const mailNeeds = { to: "--to jo@example.test", subject: '--subject "Tank"' } as const;

/** Content and files of a mail. */
async function completeMail(ctx: CommandContext, input: CommandInput, body: Record<string, unknown>): Promise<void> {
  const html = option(input, "html");
  if (html !== undefined && option(input, "message") !== undefined) {
    throw usageError("--html and --message exclude each other.", { next: "The service sends one of the two only." });
  }
  if (html !== undefined) body["html"] = await ctx.readInput(html, "--html");
  const files = await Promise.all(optionList(input, "attach").map((path) => attachedFile(ctx, path, "--attach")));
  if (files.length > 0) body["attachment"] = files;
  if (Array.isArray(body["to"])) body["to"] = body["to"].join(",");
}

function needContent(body: Readonly<Record<string, unknown>>): void {
  if (body["message"] !== undefined || body["html"] !== undefined) return;
  throw usageError("The message needs a text.", {
    code: "usage.missing_value",
    next: 'Give it with --message "It is full." or --html page.html.',
  });
}

const email = defineService({
  verb: "email",
  summary: "Send an e-mail by the platform",
  path: "/analysis/services/email/send",
  fields: mailFields,
  options: [
    ...mailOptions,
    { name: "template", value: "name", summary: "template of the portal, instead of subject and text" },
    { name: "param", value: "k=v", summary: "what stands for a variable of the template", repeat: true },
  ],
  needs: { to: mailNeeds.to },
  examples: [
    'iot service email --to jo@example.test --subject Tank --message "It is full." --analysis name:alert',
    "iot service email --to jo@example.test --template report --param day=Monday --analysis name:alert --dry-run",
  ],
  related: ["iot service smtp", "iot run email-test"],
  async complete(ctx, input, body) {
    await completeMail(ctx, input, body);
    const name = option(input, "template");
    const given = optionList(input, "param").map((text) => keyValue(text, "--param"));
    if (name === undefined && given.length > 0) {
      throw usageError("--param means nothing here.", { next: "Give it together with --template." });
    }
    if (name !== undefined) {
      const params = Object.fromEntries(given.map(({ key, value }) => [key, value]));
      body["template"] = { name, params };
    }
    if (body["template"] !== undefined) return;
    if (body["subject"] === undefined) {
      throw usageError("The message needs a subject.", {
        code: "usage.missing_value",
        next: "Give it with --subject Tank, or use a --template.",
      });
    }
    needContent(body);
  },
  send: (services, body) => services.email.send(body as unknown as Email),
});

const smtp = defineService({
  verb: "smtp",
  summary: "Send an e-mail by a server of your own",
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

const sendgrid = defineService({
  verb: "sendgrid",
  summary: "Send an e-mail by Sendgrid",
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

export const mailCommands: readonly Command[] = [email, smtp, sendgrid];
