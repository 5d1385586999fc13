import { serviceRoutes } from "../../lib/analysis/services/routes.ts";
import type { Route } from "../../lib/api/route.ts";
import { pdfBody, serviceBodies } from "../../schema/analysis.ts";
import type { App } from "../app.ts";
import { invalidBody } from "../core/platform-error.ts";
import { decodeQuery } from "../core/query.ts";
import { authorize, tokenOf } from "../http/auth.ts";
import { readJson } from "../http/body.ts";
import { successReply } from "../http/envelope.ts";
import type { BodySchema, HandlerContext, RouteOptions } from "../http/handler.ts";
import type { Reply } from "../http/respond.ts";
import type { RawHandler } from "../http/server.ts";
import { notify } from "../notifications/notify.ts";
import type { Resource } from "../resource.ts";
import { readAttachments, withoutSecrets } from "./messages.ts";
import { makePdf } from "./pdf.ts";

/** Attachments of 5 MB as base64, with the rest of an email. */
const MAX_MAIL_BYTES = 8 * 1024 * 1024;
const MAX_ATTACHMENT_BYTES = 5 * 1024 * 1024;
const MAX_PDF_BODY_BYTES = 8 * 1024 * 1024;

/** Response texts; the platform's are unknown (docs/internals/platform/server.md, Services and PDF). */
const SENT = {
  console: "Console sent",
  sms: "SMS sent",
  email: "Email sent",
  twilio: "Twilio SMS sent",
  twilioWhatsapp: "Twilio WhatsApp sent",
  smtp: "SMTP Email sent",
  sendgrid: "Sendgrid Email sent",
  sqs: "SQS message sent",
  mqtt: "MQTT message sent",
  notification: "Notification sent",
  attachment: "Attachment sent",
} as const satisfies Record<Exclude<keyof typeof serviceRoutes, "tagotip">, string>;

const gaps = {
  ended: { subject: "Built-in email and SMS, which the platform has ended", choice: "still go to the outbox" },
  answers: { subject: "Answers of the analysis services", choice: "{Service} sent", general: true },
  secrets: {
    subject: "Secrets in messages",
    choice: "the outbox keeps ids of secrets, never their values",
    general: true,
  },
  smsLength: { subject: "SMS above 140 characters", choice: "400; push messages are cut", general: true },
  attachments: {
    subject: "Attachments in the outbox",
    choice: "name, size, md5; the content up to 256 kB",
    general: true,
  },
  pdf: {
    subject: "Print service",
    choice: "POST /pdf: the text of the page on one sheet, without its layout",
    general: true,
  },
} as const;

/** The services are what the token of an analysis is for. */
const analysisOnly = { tokens: ["analysis"], rule: "free" } as const;

/** An attachment above the limit is rejected with the limit in the message. */
function checkedAttachments(value: unknown): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  const attachment = readAttachments(value);
  if (attachment.some(({ size }) => size > MAX_ATTACHMENT_BYTES)) {
    throw invalidBody({ attachment: ["At most 5 MB"] });
  }
  return { attachment };
}

/** Services whose message only goes to the outbox. */
function serveMessages(app: App): void {
  const outgoing = <Body extends object>(
    service: keyof typeof SENT,
    kind: string,
    body: BodySchema<Body>,
    messageOf: (body: Body) => object = (given) => given,
    more: Pick<RouteOptions, "gaps"> = {},
  ): void => {
    const route: Route = serviceRoutes[service];
    const options = { ...analysisOnly, body, maxBodyBytes: MAX_MAIL_BYTES, ...more };
    app.on(route, options, (context: HandlerContext<string, Body>) => {
      app.outbox.add(kind, {
        ...withoutSecrets({ ...messageOf(context.body) }),
        profile: context.profile,
        analysis: context.principal.refId,
      });
      return SENT[service];
    });
  };
  const withAttachment = (body: object): object => {
    const { attachment, ...message } = { attachment: undefined, ...body };
    return { ...message, ...checkedAttachments(attachment) };
  };

  outgoing("sms", "sms", serviceBodies.sms, undefined, { gaps: [gaps.ended] });
  outgoing("email", "email", serviceBodies.email, withAttachment, { gaps: [gaps.ended] });
  outgoing("smtp", "email-smtp", serviceBodies.relayedEmail, withAttachment);
  outgoing("sendgrid", "email-sendgrid", serviceBodies.relayedEmail, withAttachment);
  outgoing("twilio", "sms-twilio", serviceBodies.twilio);
  outgoing("twilioWhatsapp", "whatsapp-twilio", serviceBodies.twilio);
  outgoing("sqs", "queue-sqs", serviceBodies.sqs);
  outgoing("attachment", "attachment", serviceBodies.attachment, (body) => checkedAttachments(body));
}

/** Services that also change the profile. */
function serveOwnServices(app: App): void {
  app.on(serviceRoutes.console, { ...analysisOnly, body: serviceBodies.console }, (context) => {
    const { body, now, principal, profile } = context;
    const analysis = app.collection("analysis").need(principal.refId, profile);
    const moment = new Date(body.timestamp ?? now).getTime();
    const message = typeof body.message === "string" ? body.message : JSON.stringify(body.message ?? null);
    app.analyses.log(analysis, [{ message, timestampMs: Number.isNaN(moment) ? now : moment }]);
    return SENT.console;
  });

  app.on(serviceRoutes.notification, { ...analysisOnly, body: serviceBodies.notification }, (context) => {
    const { body, principal, profile } = context;
    notify(app, profile, body);
    app.outbox.add("notification", { ...body, profile, analysis: principal.refId });
    return SENT.notification;
  });

  app.on(serviceRoutes.mqtt, { ...analysisOnly, body: serviceBodies.mqtt }, (context) => {
    const { body, principal, profile } = context;
    const device = app.collection("device").need(body.device, profile);
    app.outbox.add("mqtt", { ...body, profile, analysis: principal.refId });
    const { message, topic } = body;
    app.signals.emit("mqttPublished", { profile, device, topic, message, principal });
    return SENT.mqtt;
  });
}

/** The HTML of a page: as sent, from base64, or its URL, which is not visited. */
function pageOf(body: { html?: string | undefined; base64?: string | undefined; url?: string | undefined }): string {
  if (body.html !== undefined) return body.html;
  if (body.base64 !== undefined) return Buffer.from(body.base64, "base64").toString("utf8");
  return `<p>${body.url ?? ""}</p>`;
}

/** The PDF service: a file with `fileName`, else base64. Without an envelope. */
function servePdf(app: App): RawHandler {
  return async ({ incoming, outgoing }, onCaller): Promise<Reply | "sent"> => {
    const query = decodeQuery((incoming.url ?? "").split("?")[1] ?? "");
    const kinds = ["profile", "analysis", "run_user"] as const;
    onCaller(authorize(app.tokens, tokenOf(incoming.headers, query), { kinds, permission: "read" }));
    const checked = pdfBody.safeParse(await readJson(incoming, MAX_PDF_BODY_BYTES));
    if (!checked.success) {
      throw invalidBody({ html: ["One of html, base64 and url is needed"] });
    }
    const file = makePdf(pageOf(checked.data));
    const { fileName } = checked.data;
    if (fileName === undefined || fileName === null || fileName === "") return successReply(file.toString("base64"));
    const name = fileName.replaceAll(/[^\w. -]/g, "_");
    outgoing.writeHead(200, {
      "content-type": "application/pdf",
      "content-disposition": `attachment; filename="${name}"`,
      "content-length": file.length,
    });
    outgoing.end(file);
    return "sent";
  };
}

/** Messages that analyses send: all of them go to the outbox. */
export const services: Resource = {
  tables: { serviceRoutes },
  access: {
    email: { label: "E-mail" },
    sms: { label: "SMS" },
    mqtt: { label: "MQTT" },
    attachment: { label: "Attachment" },
  },
  gaps,
  serve: (app) => {
    serveMessages(app);
    serveOwnServices(app);
    // The platform serves this on a separate host, so the path is free to choose.
    app.server.serve("POST", "/pdf", servePdf(app), { faults: true });
  },
};
