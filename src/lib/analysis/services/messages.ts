import { assertObject } from "../../api/assert.ts";
import type { CallOptions } from "../../api/client.ts";
import { Module } from "../../api/module.ts";
import type { EmailAttachment } from "./email.ts";
import { serviceRoutes } from "./routes.ts";

/** A text message by the platform. */
export interface SMS {
  /** Number with its country (`+15550100`). */
  to: string;
  /** Up to 140 characters. */
  message: string;
}

/** A text message by Twilio. */
export interface TwilioSMS {
  /** Number with its country (`+15550100`). */
  to: string;
  /** Number of the Twilio account. */
  from: string;
  /** The text. */
  message: string;
  /** SID of the Twilio account. */
  twilio_sid: string;
  /** Token of the Twilio account; a secret. */
  twilio_token: string;
}

/** A WhatsApp message by Twilio. */
export interface TwilioWhatsapp {
  /** Number with its country (`+15550100`). */
  to: string;
  /** Number of the Twilio account. */
  from: string;
  /** The text; not needed with `content_sid`. */
  message?: string;
  /** A file to send along, with its text. */
  attachment?: EmailAttachment;
  /** MIME type of the file. */
  content_type?: string;
  /** A template of the Twilio account, and what stands for its variables. */
  content_sid?: string;
  /** By number or name, as an object or a JSON string. */
  content_variables?: string | Readonly<Record<string, string>>;
  /** SID of the Twilio account. */
  twilio_sid: string;
  /** Token of the Twilio account; a secret. */
  twilio_token: string;
}

/** Text messages by the platform. */
export class SMSService extends Module {
  /**
   * Sends a text message.
   *
   * @example
   * ```ts
   * await services.sms.send({ to: "+15550100", message: "The tank is full." });
   * ```
   */
  async send(sms: SMS, options?: CallOptions): Promise<string> {
    assertObject(sms, "sms");
    return this.call(serviceRoutes.sms, { ...options, body: sms });
  }
}

/** Text messages by Twilio. */
export class TwilioService extends Module {
  /**
   * Sends a text message.
   *
   * @example
   * ```ts
   * await services.twilio.send({
   *   to: "+15550100",
   *   from: "+15550199",
   *   message: "The tank is full.",
   *   twilio_sid: "AC1234",
   *   twilio_token: "secret",
   * });
   * ```
   */
  async send(sms: TwilioSMS, options?: CallOptions): Promise<string> {
    assertObject(sms, "sms");
    return this.call(serviceRoutes.twilio, { ...options, body: sms });
  }
}

/** WhatsApp messages by Twilio. */
export class TwilioWhatsappService extends Module {
  /**
   * Sends a message.
   *
   * @example
   * ```ts
   * await services.twilio_whatsapp.send({
   *   to: "+15550100",
   *   from: "+15550199",
   *   content_sid: "HX1234",
   *   content_variables: { 1: "Tank 7" },
   *   twilio_sid: "AC1234",
   *   twilio_token: "secret",
   * });
   * ```
   */
  async send(whatsapp: TwilioWhatsapp, options?: CallOptions): Promise<string> {
    assertObject(whatsapp, "whatsapp");
    return this.call(serviceRoutes.twilioWhatsapp, { ...options, body: whatsapp });
  }
}
