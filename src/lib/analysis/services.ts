import { type GenericModuleParams, Module, withAnalysisToken } from "../api/module.ts";
import { EmailService, SendgridService, SMTPService } from "./services/email.ts";
import { SMSService, TwilioService, TwilioWhatsappService } from "./services/messages.ts";
import { MQTTService } from "./services/mqtt.ts";
import { PDFService } from "./services/pdf.ts";
import { AttachmentService, ConsoleService, NotificationService, TagoTiPService } from "./services/platform.ts";
import { SQSService } from "./services/sqs.ts";

/** What the constructor takes. */
export interface ServicesParams extends Partial<GenericModuleParams> {
  /** Address of the service that prints. @default the environment's `TAGOIO_PDF`, else the platform's service */
  readonly pdfAddress?: string | undefined;
}

/**
 * What an analysis sends to the world. Each property is also a static getter, which uses the token of the analysis that
 * is running (`T_ANALYSIS_TOKEN`).
 *
 * @example
 * ```ts
 * await Services.sms.send({ to: "+15550100", message: "The tank is full." });
 * ```
 */
export class Services extends Module {
  /** Lines on the console of the analysis. */
  console = new ConsoleService(this.client);
  /** Text messages by the platform. */
  sms = new SMSService(this.client);
  /** Emails by the platform. */
  email = new EmailService(this.client);
  /** Text messages by Twilio. */
  twilio = new TwilioService(this.client);
  /** WhatsApp messages by Twilio. */
  twilio_whatsapp = new TwilioWhatsappService(this.client);
  /** Emails by a server of your own. */
  smtp = new SMTPService(this.client);
  /** Emails by Sendgrid. */
  sendgrid = new SendgridService(this.client);
  /** Messages for a queue of AWS SQS. */
  aws_sqs = new SQSService(this.client);
  /** Messages to the platform's MQTT broker. */
  mqtt = new MQTTService(this.client);
  /** Notifications for the account. */
  notification = new NotificationService(this.client);
  /** Files for the platform to keep. */
  attachment = new AttachmentService(this.client);
  /** Pages printed as PDF. */
  pdf: PDFService;
  /** Commands for devices that speak TagoTiP. */
  tagotip = new TagoTiPService(this.client);
  /** Older name of `mqtt`. */
  MQTT = this.mqtt;
  /** Older name of `notification`. */
  Notification = this.notification;
  /** Older name of `attachment`. */
  Attachment = this.attachment;
  /** Older name of `pdf`. */
  PDF: PDFService;

  /**
   * @param params token and region; without a token it is `T_ANALYSIS_TOKEN`
   * @throws InputError `Invalid Token` without a token
   */
  constructor(params?: ServicesParams) {
    super(withAnalysisToken(params));
    this.pdf = new PDFService(this.client, params?.pdfAddress);
    this.PDF = this.pdf;
  }

  /** See the property of the same name. */
  static get console(): ConsoleService {
    return new Services().console;
  }

  /** See the property of the same name. */
  static get sms(): SMSService {
    return new Services().sms;
  }

  /** See the property of the same name. */
  static get email(): EmailService {
    return new Services().email;
  }

  /** See the property of the same name. */
  static get twilio(): TwilioService {
    return new Services().twilio;
  }

  /** See the property of the same name. */
  static get twilio_whatsapp(): TwilioWhatsappService {
    return new Services().twilio_whatsapp;
  }

  /** See the property of the same name. */
  static get smtp(): SMTPService {
    return new Services().smtp;
  }

  /** See the property of the same name. */
  static get sendgrid(): SendgridService {
    return new Services().sendgrid;
  }

  /** See the property of the same name. */
  static get aws_sqs(): SQSService {
    return new Services().aws_sqs;
  }

  /** See the property of the same name. */
  static get mqtt(): MQTTService {
    return new Services().mqtt;
  }

  /** See the property of the same name. */
  static get notification(): NotificationService {
    return new Services().notification;
  }

  /** See the property of the same name. */
  static get attachment(): AttachmentService {
    return new Services().attachment;
  }

  /** See the property of the same name. */
  static get pdf(): PDFService {
    return new Services().pdf;
  }

  /** See the property of the same name. */
  static get tagotip(): TagoTiPService {
    return new Services().tagotip;
  }
}
