import { type GenericModuleParams, Module } from "../api/module.ts";
import { environment } from "../core/platform.ts";
import { EmailService, SendgridService, SMTPService } from "./services/email.ts";
import { SMSService, TwilioService, TwilioWhatsappService } from "./services/messages.ts";
import { MQTTService } from "./services/mqtt.ts";
import { PDFService } from "./services/pdf.ts";
import { AttachmentService, ConsoleService, NotificationService, TagoTiPService } from "./services/platform.ts";
import { SQSService } from "./services/sqs.ts";

/** What the constructor takes. */
export interface ServicesParams extends GenericModuleParams {
  /** Address of the service that prints. @default the environment's `TAGOIO_PDF`, else the platform's service */
  readonly pdfAddress?: string | undefined;
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
