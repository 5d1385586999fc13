import { InputError } from "../core/errors.ts";
import { type GenericModuleParams, Module } from "../core/module.ts";
import { needObject } from "../core/need-object.ts";
import { environment } from "../core/platform.ts";
import type { CallOptions } from "../http/client.ts";
import type { GenericID } from "../resources/data-types.ts";
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
  /** A template of the Twilio account, and what stands for its variables. */
  content_sid?: string;
  /** By number or name, as an object or JSON text. */
  content_variables?: string | Readonly<Record<string, string>>;
  /** SID of the Twilio account. */
  twilio_sid: string;
  /** Token of the Twilio account; a secret. */
  twilio_token: string;
}

/** A notification for the account that owns the analysis, or for all it shares a dashboard with. */
export interface NotificationSend {
  /** First line. */
  title: string;
  /** Pushed to telephones, cut at 140 characters. */
  message: string;
  /** Dashboard to open. */
  ref_id?: GenericID;
}

/** A file for the platform to keep. */
export interface AttachmentArchive {
  /** Name of the file. */
  name: string;
  /** Base64. */
  content: string;
  /** MIME type. */
  type: string;
}

/** A command for a device that speaks TagoTiP. */
export interface TagoTiPCommand {
  /** Serial number of the device. */
  serial: string;
  /** How the device is reached. */
  protocol: string;
  /** The command itself. */
  body: string;
}

/** The console of the analysis. */
export class ConsoleService extends Module {
  /**
   * Writes a line.
   *
   * @param time when it happened. @default now
   * @example
   * ```ts
   * await services.console.log("The tank is full.", new Date());
   * ```
   */
  async log(message: string, time: Date = new Date(), options?: CallOptions): Promise<string> {
    const isTime = time instanceof Date || typeof time === "number" || typeof time === "string";
    const timestamp = isTime ? new Date(time).getTime() : Number.NaN;
    if (Number.isNaN(timestamp)) throw new InputError("Invalid time: it must be a date", "time");
    return this.call(serviceRoutes.console, { ...options, body: { message, timestamp } });
  }
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
    needObject(sms, "sms");
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
    needObject(sms, "sms");
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
    needObject(whatsapp, "whatsapp");
    return this.call(serviceRoutes.twilioWhatsapp, { ...options, body: whatsapp });
  }
}

/** Notifications. */
export class NotificationService extends Module {
  /**
   * Sends a notification.
   *
   * @example
   * ```ts
   * await services.notification.send({ title: "Tank", message: "It is full.", ref_id: dashboardID });
   * ```
   */
  async send(notification: NotificationSend, options?: CallOptions): Promise<string> {
    needObject(notification, "notification");
    return this.call(serviceRoutes.notification, { ...options, body: notification });
  }
}

/** Files for the platform to keep. */
export class AttachmentService extends Module {
  /**
   * Uploads a file.
   *
   * @example
   * ```ts
   * await services.attachment.upload({ name: "report.csv", content: btoa("time,value\n"), type: "text/csv" });
   * ```
   */
  async upload(archive: AttachmentArchive, options?: CallOptions): Promise<string> {
    needObject(archive, "archive");
    const body = { archive: archive.content, filename: archive.name, type: archive.type };
    return this.call(serviceRoutes.attachment, { ...options, body });
  }
}

/** Commands for devices that speak TagoTiP. */
export class TagoTiPService extends Module {
  /**
   * Sends a command.
   *
   * @example
   * ```ts
   * await services.tagotip.cmd({ serial: "0004A30B001C0530", protocol: "mqtt", body: "valve=open" });
   * ```
   */
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
  /** Lines on the console of the analysis. */
  readonly console: ConsoleService;
  /** Text messages by the platform. */
  readonly sms: SMSService;
  /** Emails by the platform. */
  readonly email: EmailService;
  /** Text messages by Twilio. */
  readonly twilio: TwilioService;
  /** WhatsApp messages by Twilio. */
  readonly twilio_whatsapp: TwilioWhatsappService;
  /** Emails by a server of your own. */
  readonly smtp: SMTPService;
  /** Emails by Sendgrid. */
  readonly sendgrid: SendgridService;
  /** Messages for a queue of AWS SQS. */
  readonly aws_sqs: SQSService;
  /** Messages to the platform's MQTT broker. */
  readonly mqtt: MQTTService;
  /** Notifications for the account. */
  readonly notification: NotificationService;
  /** Files for the platform to keep. */
  readonly attachment: AttachmentService;
  /** Pages printed as PDF. */
  readonly pdf: PDFService;
  /** Commands for devices that speak TagoTiP. */
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

  /**
   * `console` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * await Services.console.log("The tank is full.");
   * ```
   */
  static get console(): ConsoleService {
    return new Services().console;
  }

  /**
   * `sms` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * await Services.sms.send({ to: "+15550100", message: "The tank is full." });
   * ```
   */
  static get sms(): SMSService {
    return new Services().sms;
  }

  /**
   * `email` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * await Services.email.send({ to: "jo@example.org", template: { name: "report", params: { day: "Monday" } } });
   * ```
   */
  static get email(): EmailService {
    return new Services().email;
  }

  /**
   * `twilio` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * const { twilio } = Services;
   * await twilio.send({ to: "+15550100", from: "+15550199", message: "Full", twilio_sid: "AC1", twilio_token: "secret" });
   * ```
   */
  static get twilio(): TwilioService {
    return new Services().twilio;
  }

  /**
   * `twilio_whatsapp` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * const message = { to: "+15550100", from: "+15550199", message: "Full", twilio_sid: "AC1", twilio_token: "secret" };
   * await Services.twilio_whatsapp.send(message);
   * ```
   */
  static get twilio_whatsapp(): TwilioWhatsappService {
    return new Services().twilio_whatsapp;
  }

  /**
   * `smtp` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * await Services.smtp.send({ to: "jo@example.org", subject: "Tank", message: "Full", smtp_secret: { host: "mail" } });
   * ```
   */
  static get smtp(): SMTPService {
    return new Services().smtp;
  }

  /**
   * `sendgrid` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * await Services.sendgrid.send({ to: "jo@example.org", subject: "Tank", message: "Full", sendgrid_api_key: "SG.1" });
   * ```
   */
  static get sendgrid(): SendgridService {
    return new Services().sendgrid;
  }

  /**
   * `aws_sqs` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * await Services.aws_sqs.sendMessage({ sqs_secret: '{ "region": "us-east-1" }', data: { level: 3 } });
   * ```
   */
  static get aws_sqs(): SQSService {
    return new Services().aws_sqs;
  }

  /**
   * `mqtt` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * await Services.mqtt.publish({ device: deviceID, topic: "tank/valve", message: "open" });
   * ```
   */
  static get mqtt(): MQTTService {
    return new Services().mqtt;
  }

  /**
   * `notification` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * await Services.notification.send({ title: "Tank", message: "It is full." });
   * ```
   */
  static get notification(): NotificationService {
    return new Services().notification;
  }

  /**
   * `attachment` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * await Services.attachment.upload({ name: "note.txt", content: btoa("hello"), type: "text/plain" });
   * ```
   */
  static get attachment(): AttachmentService {
    return new Services().attachment;
  }

  /**
   * `pdf` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * const { result } = await Services.pdf.generate({ url: "https://example.org/report" });
   * ```
   */
  static get pdf(): PDFService {
    return new Services().pdf;
  }

  /**
   * `tagotip` with the token of the analysis that is running.
   *
   * @example
   * ```ts
   * await Services.tagotip.cmd({ serial: "0004A30B001C0530", protocol: "mqtt", body: "valve=open" });
   * ```
   */
  static get tagotip(): TagoTiPService {
    return new Services().tagotip;
  }
}
