import { assertObject } from "../../api/assert.ts";
import type { CallOptions } from "../../api/client.ts";
import { Module } from "../../api/module.ts";
import { needJsonSecret } from "./checks.ts";
import { serviceRoutes } from "./routes.ts";

/** A file of an email. */
export interface EmailAttachment {
  /** The content: text, or base64 with `type: "base64"`. */
  archive: string;
  /** Name the receiver sees. */
  filename: string;
  /** MIME type, or `base64`. */
  type?: string;
}

/** A template of the portal and the values of its variables. */
export interface EmailTemplate {
  /** Key of the template in the portal's settings. */
  name: string;
  /** Values of its variables, by name without `$`. */
  params?: Record<string, unknown>;
}

/** An email by the platform. */
export interface Email {
  /** One address, or several as a list or with commas between them. */
  to: string | readonly string[];
  /** Needed without a template. */
  subject?: string;
  /** Plain text. */
  message?: string;
  /** Replaces `message`. */
  html?: string;
  /** Address for replies. */
  from?: string;
  /** 5 MB at most. */
  attachment?: EmailAttachment | readonly EmailAttachment[];
  /** Replaces subject, message and html. */
  template?: EmailTemplate;
}

interface RelayedEmail {
  /** One address, or several as a list or with commas between them. */
  to: string | readonly string[];
  /** First line. */
  subject?: string;
  /** Plain text. */
  message?: string;
  /** Replaces `message`. */
  html?: string;
  /** Address of the sender. */
  from?: string;
  /** Files to send along. */
  attachment?: EmailAttachment | readonly EmailAttachment[];
  /** Not used: only the platform's emails have templates. */
  template?: EmailTemplate;
}

/** An email by a server of your own. */
export interface EmailSMTP extends RelayedEmail {
  /** Host, port, user and password, as an object or a JSON string. */
  smtp_secret: string | Readonly<Record<string, unknown>>;
}

/** An email by Sendgrid. */
export interface EmailSendgrid extends RelayedEmail {
  /** Key of the Sendgrid account; a secret. */
  sendgrid_api_key: string;
}

function warnOfOverwrite(email: { readonly html?: string; readonly message?: string }): void {
  if (email.html && email.message) console.warn("HTML field will overwrite message field");
}

/** The email with its addresses as one string. The caller's object stays as it is. */
function withJoinedAddresses<Sent extends RelayedEmail>(email: Sent): Sent {
  return Array.isArray(email.to) ? { ...email, to: email.to.join(",") } : email;
}

/** Emails by the platform. */
export class EmailService extends Module {
  /**
   * Sends an email. With both `html` and `message` it warns on the console that `html` is used.
   *
   * @example
   * ```ts
   * const services = new Services({ token: context.token });
   * await services.email.send({ to: "jo@example.org", subject: "Tank", message: "It is full." });
   * ```
   */
  async send(email: Email, options?: CallOptions): Promise<string> {
    assertObject(email, "email");
    warnOfOverwrite(email);
    return this.call(serviceRoutes.email, { ...options, body: email });
  }
}

/** Emails by a server of your own. */
export class SMTPService extends Module {
  /**
   * Sends an email. With both `html` and `message` it warns on the console that `html` is used.
   *
   * @throws InputError `SMTP Secret is not a valid JSON` for a string that is not JSON
   * @example
   * ```ts
   * await services.smtp.send({
   *   to: ["jo@example.org", "kim@example.org"],
   *   from: "plant@example.org",
   *   subject: "Tank",
   *   html: "<p>It is <b>full</b>.</p>",
   *   smtp_secret: { host: "mail.example.org", port: 587, username: "plant", password: "secret" },
   * });
   * ```
   */
  async send(email: EmailSMTP, options?: CallOptions): Promise<string> {
    assertObject(email, "email");
    needJsonSecret(email.smtp_secret, "smtp_secret", "SMTP Secret is not a valid JSON");
    warnOfOverwrite(email);
    return this.call(serviceRoutes.smtp, { ...options, body: withJoinedAddresses(email) });
  }
}

/** Emails by Sendgrid. */
export class SendgridService extends Module {
  /**
   * Sends an email. With both `html` and `message` it warns on the console that `html` is used.
   *
   * @example
   * ```ts
   * await services.sendgrid.send({
   *   to: "jo@example.org",
   *   from: "plant@example.org",
   *   subject: "Tank",
   *   message: "It is full.",
   *   sendgrid_api_key: "SG.1234",
   * });
   * ```
   */
  async send(email: EmailSendgrid, options?: CallOptions): Promise<string> {
    assertObject(email, "email");
    warnOfOverwrite(email);
    return this.call(serviceRoutes.sendgrid, { ...options, body: withJoinedAddresses(email) });
  }
}
