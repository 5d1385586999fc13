import { InputError } from "../core/errors.ts";
import { type GenericModuleParams, Module } from "../core/module.ts";
import { environment } from "../core/platform.ts";
import type { CallOptions } from "../http/client.ts";
import type { GenericID } from "../resources/data-types.ts";
import { needObject } from "./services/checks.ts";
import { EmailService, SendgridService, SMTPService } from "./services/email.ts";
import { MQTTService } from "./services/mqtt.ts";
import { PDFService } from "./services/pdf.ts";
import { serviceRoutes } from "./services/routes.ts";
import { SQSService } from "./services/sqs.ts";

/** What the constructor takes. */
export interface ServicesParams extends GenericModuleParams {
  /** Address of the service that prints. @default the environment's `TAGOIO_PDF`, else the platform's service */
  readonly pdfAddress?: string | undefined;
}

/** A text message by the platform. */
export interface SMS {
  /** Number with its country (`+15550100`). */
  to: string;
  /** Up to 140 characters. */
  message: string;
}

/** A text message by Twilio. */
export interface TwilioSMS {
  to: string;
  from: string;
  message: string;
  twilio_sid: string;
  twilio_token: string;
}

/** A WhatsApp message by Twilio. */
export interface TwilioWhatsapp {
  to: string;
  from: string;
  message?: string;
  /** A template of the Twilio account, and what stands for its variables. */
  content_sid?: string;
  content_variables?: string | Readonly<Record<string, string>>;
  twilio_sid: string;
  twilio_token: string;
}

/** A notification for the account that owns the analysis, or for all it shares a dashboard with. */
export interface NotificationSend {
  title: string;
  message: string;
  /** Dashboard to open. */
  ref_id?: GenericID;
}

/** A file for the platform to keep. */
export interface AttachmentArchive {
  name: string;
  /** Base64. */
  content: string;
  /** MIME type. */
  type: string;
}

/** A command for a device that speaks TagoTiP. */
export interface TagoTiPCommand {
  serial: string;
  protocol: string;
  body: string;
}

/** The console of the analysis. */
export class ConsoleService extends Module {
  /** Writes a line. @param time when it happened. @default now */
  async log(message: string, time: Date = new Date(), options?: CallOptions): Promise<string> {
    const timestamp = new Date(time).getTime();
    if (Number.isNaN(timestamp)) throw new InputError("Invalid time: it must be a date", "time");
    return this.call(serviceRoutes.console, { ...options, body: { message, timestamp } });
  }
}

/** Text messages by the platform. */
export class SMSService extends Module {
  /** Sends a text message. */
  async send(sms: SMS, options?: CallOptions): Promise<string> {
    needObject(sms, "sms");
    return this.call(serviceRoutes.sms, { ...options, body: sms });
  }
}

/** Text messages by Twilio. */
export class TwilioService extends Module {
  /** Sends a text message. */
  async send(sms: TwilioSMS, options?: CallOptions): Promise<string> {
    needObject(sms, "sms");
    return this.call(serviceRoutes.twilio, { ...options, body: sms });
  }
}

/** WhatsApp messages by Twilio. */
export class TwilioWhatsappService extends Module {
  /** Sends a message. */
  async send(whatsapp: TwilioWhatsapp, options?: CallOptions): Promise<string> {
    needObject(whatsapp, "whatsapp");
    return this.call(serviceRoutes.twilioWhatsapp, { ...options, body: whatsapp });
  }
}

/** Notifications. */
export class NotificationService extends Module {
  /** Sends a notification. */
  async send(notification: NotificationSend, options?: CallOptions): Promise<string> {
    needObject(notification, "notification");
    return this.call(serviceRoutes.notification, { ...options, body: notification });
  }
}

/** Files for the platform to keep. */
export class AttachmentService extends Module {
  /** Uploads a file. */
  async upload(archive: AttachmentArchive, options?: CallOptions): Promise<string> {
    needObject(archive, "archive");
    const body = { archive: archive.content, filename: archive.name, type: archive.type };
    return this.call(serviceRoutes.attachment, { ...options, body });
  }
}

/** Commands for devices that speak TagoTiP. */
export class TagoTiPService extends Module {
  /** Sends a command. */
  async cmd(command: TagoTiPCommand, options?: CallOptions): Promise<string> {
    needObject(command, "command");
    const { serial, protocol, body } = command;
    return this.call(serviceRoutes.tagotip, { ...options, body: { serial, protocol, body } });
  }
}

/**
 * What an analysis sends to the world. Each member is also a static getter, which uses the token of the analysis that
 * is running (`T_ANALYSIS_TOKEN`).
 *
 * @example
 * ```ts
 * await Services.sms.send({ to: "+15550100", message: "The tank is full." });
 * ```
 */
export class Services extends Module {
  readonly console: ConsoleService;
  readonly sms: SMSService;
  readonly email: EmailService;
  readonly twilio: TwilioService;
  readonly twilio_whatsapp: TwilioWhatsappService;
  readonly smtp: SMTPService;
  readonly sendgrid: SendgridService;
  readonly aws_sqs: SQSService;
  readonly mqtt: MQTTService;
  readonly notification: NotificationService;
  readonly attachment: AttachmentService;
  readonly pdf: PDFService;
  readonly tagotip: TagoTiPService;
  /** Older name of `mqtt`. */
  readonly MQTT: MQTTService;
  /** Older name of `notification`. */
  readonly Notification: NotificationService;
  /** Older name of `attachment`. */
  readonly Attachment: AttachmentService;
  /** Older name of `pdf`. */
  readonly PDF: PDFService;

  /**
   * @param params token and region; without params the token is `T_ANALYSIS_TOKEN`
   * @throws InputError `Invalid Token` without a token
   */
  constructor(params: ServicesParams = { token: environment("T_ANALYSIS_TOKEN") ?? "" }) {
    super(params);
    const { client } = this;
    this.console = new ConsoleService(client);
    this.sms = new SMSService(client);
    this.email = new EmailService(client);
    this.twilio = new TwilioService(client);
    this.twilio_whatsapp = new TwilioWhatsappService(client);
    this.smtp = new SMTPService(client);
    this.sendgrid = new SendgridService(client);
    this.aws_sqs = new SQSService(client);
    this.mqtt = new MQTTService(client);
    this.notification = new NotificationService(client);
    this.attachment = new AttachmentService(client);
    this.pdf = new PDFService(client, params.pdfAddress);
    this.tagotip = new TagoTiPService(client);
    this.MQTT = this.mqtt;
    this.Notification = this.notification;
    this.Attachment = this.attachment;
    this.PDF = this.pdf;
  }

  static get console(): ConsoleService {
    return new Services().console;
  }

  static get sms(): SMSService {
    return new Services().sms;
  }

  static get email(): EmailService {
    return new Services().email;
  }

  static get twilio(): TwilioService {
    return new Services().twilio;
  }

  static get twilio_whatsapp(): TwilioWhatsappService {
    return new Services().twilio_whatsapp;
  }

  static get smtp(): SMTPService {
    return new Services().smtp;
  }

  static get sendgrid(): SendgridService {
    return new Services().sendgrid;
  }

  static get aws_sqs(): SQSService {
    return new Services().aws_sqs;
  }

  static get mqtt(): MQTTService {
    return new Services().mqtt;
  }

  static get notification(): NotificationService {
    return new Services().notification;
  }

  static get attachment(): AttachmentService {
    return new Services().attachment;
  }

  static get pdf(): PDFService {
    return new Services().pdf;
  }

  static get tagotip(): TagoTiPService {
    return new Services().tagotip;
  }
}
