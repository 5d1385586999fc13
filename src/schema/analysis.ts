import { z } from "zod";
import type { Email, EmailSMTP } from "../lib/analysis/services/email.ts";
import type { SMS, TwilioSMS } from "../lib/analysis/services/messages.ts";
import type { PublishMQTT } from "../lib/analysis/services/mqtt.ts";
import type { PDFParams } from "../lib/analysis/services/pdf.ts";
import type { AttachmentArchive, NotificationSend, TagoTiPCommand } from "../lib/analysis/services/platform.ts";
import { LONG_TEXT_MAX_CHARS, NAME_MAX_CHARS } from "../lib/core/limits.ts";
import { snippetRuntimes } from "../lib/resources/enums.ts";
import type { Analyses, AnalysisCreateInfo, AnalysisEditInfo, ScriptFile } from "../lib/resources/index.ts";
import { id, type Nullish, tags } from "./common.ts";

const name = z.string().min(1).max(NAME_MAX_CHARS, `At most ${NAME_MAX_CHARS} characters`);

const variable = z.object({
  key: z.string().min(1).max(255),
  /** The platform's manual has numbers too, its validator asks for strings. */
  value: z.number().or(z.string().max(100_000)),
});

const variables = z
  .array(variable)
  .max(20, "At most 20 variables")
  .refine((list) => new Set(list.map(({ key }) => key)).size === list.length, "Keys must be unique");

/** Older programs say `node` and `python`. */
const runtime = z
  .enum([...snippetRuntimes, "other", "node", "python"])
  .transform((name) => (name === "node" || name === "python" ? (`${name}-legacy` as const) : name));

const settings = {
  description: z.string().max(LONG_TEXT_MAX_CHARS).nullable().exactOptional(),
  active: z.boolean().exactOptional(),
  run_on: z.enum(["tago", "external"]).exactOptional(),
  variables: variables.exactOptional(),
  tags: tags.exactOptional(),
};

/** Body of `POST /analysis`. An `interval` is dropped: the platform ignores it. */
export const analysisCreate = z.object({
  ...settings,
  name,
  runtime: runtime.exactOptional(),
}) satisfies z.ZodType<AnalysisCreateInfo>;

/** Body of `PUT /analysis/:id`. An `interval` is dropped, and so is a `runtime`: it follows the last upload. */
export const analysisEdit = z.object({ ...settings, name: name.exactOptional() }) satisfies z.ZodType<AnalysisEditInfo>;

const scope = z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]);

const jsonText = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue("Must be a list, an object, or the JSON text of one");
    return z.NEVER;
  }
});

/** Body of `POST /analysis/:id/run`: the scope is any list or object, or its JSON text. */
export const analysisRun = z.object({ scope: scope.or(jsonText.pipe(scope)).nullish() }).optional() satisfies z.ZodType<
  { scope?: Parameters<Analyses["run"]>[1] | null } | undefined
>;

/** Body of `POST /analysis/:id/upload`. */
export const analysisUpload = z.object({
  /** Base64. */
  file: z.string().regex(/^[A-Za-z0-9+/_=\s-]*$/, "Must be base64"),
  file_name: z.string().min(1).max(255),
  language: runtime,
}) satisfies z.ZodType<Pick<ScriptFile, "language"> & { file: ScriptFile["content"]; file_name: ScriptFile["name"] }>;

const sentMessage = z.looseObject({});

/** Bodies of the services of an analysis. Unknown fields are stored in the outbox. */
export const serviceBodies = {
  console: z.object({
    message: z.unknown(),
    timestamp: z.union([z.number(), z.string()]).nullish(),
  }) satisfies z.ZodType<{ message: unknown }>,
  sms: sentMessage.extend({
    to: z.string().min(1),
    message: z.string().min(1).max(140, "At most 140 characters"),
  }) satisfies z.ZodType<SMS>,
  email: sentMessage
    .extend({
      to: z.string().min(1),
      subject: z.string().nullish(),
      message: z.string().nullish(),
      html: z.string().nullish(),
      from: z.string().nullish(),
      attachment: z.unknown().optional(),
      template: z.looseObject({ name: z.string().min(1) }).nullish(),
    })
    .refine(({ subject, template }) => Boolean(subject) || Boolean(template), {
      message: "Required without a template",
      path: ["subject"],
    }) satisfies z.ZodType<Nullish<Pick<Email, "to" | "subject" | "message" | "html" | "from">>>,
  relayedEmail: sentMessage.extend({
    to: z.string().min(1),
    from: z.string().nullish(),
    subject: z.string().nullish(),
  }) satisfies z.ZodType<Nullish<Pick<EmailSMTP, "to" | "from" | "subject">>>,
  twilio: sentMessage.extend({
    to: z.string().min(1),
    from: z.string().min(1),
    message: z.string().nullish(),
  }) satisfies z.ZodType<Nullish<Partial<TwilioSMS>>>,
  sqs: sentMessage.extend({
    sqs_secret: z.unknown(),
    dataList: z.array(z.unknown()).min(1).max(10_000),
  }) satisfies z.ZodType<{ dataList: unknown[] }>,
  mqtt: sentMessage
    .extend({
      topic: z.string().min(1).max(1_000),
      message: z.unknown(),
      device: id.nullish(),
      bucket: id.nullish(),
      options: z.looseObject({ qos: z.literal([0, 1, 2]).nullish(), retain: z.boolean().nullish() }).nullish(),
    })
    // Older programs name the bucket, and keep quality of service and retain in `options`.
    .transform(({ bucket, options, ...message }) => ({ ...options, ...message, device: message.device ?? bucket }))
    .pipe(sentMessage.extend({ topic: z.string(), message: z.unknown(), device: id })) satisfies z.ZodType<PublishMQTT>,
  notification: sentMessage.extend({
    title: z.string().min(1),
    message: z.string().min(1),
    ref_id: id.nullish(),
  }) satisfies z.ZodType<Nullish<NotificationSend>>,
  attachment: sentMessage.extend({
    archive: z.string(),
    filename: z.string().min(1).max(255),
    type: z.string().nullish(),
  }) satisfies z.ZodType<Nullish<Partial<AttachmentArchive>>>,
  tagotip: sentMessage.extend({
    serial: z.string().min(1),
    protocol: z.string().min(1),
    body: z.unknown(),
  }) satisfies z.ZodType<Omit<TagoTiPCommand, "body">>,
};

/** Body of `POST /pdf`: the page as HTML, as base64, or its URL. */
export const pdfBody = z
  .looseObject({
    html: z.string().optional(),
    base64: z.string().optional(),
    url: z.string().optional(),
    fileName: z.string().max(255).nullish(),
  })
  .refine(({ html, base64, url }) => html !== undefined || base64 !== undefined || url !== undefined, {
    message: "One of html, base64 and url is needed",
    path: ["html"],
  }) satisfies z.ZodType<Nullish<PDFParams>>;
