import type { Command } from "../kit/command/define.ts";
import { attachment } from "./attachment.ts";
import { consoleLine } from "./console.ts";
import { email } from "./email.ts";
import { mqtt } from "./mqtt.ts";
import { notification } from "./notification.ts";
import { sendgrid } from "./sendgrid.ts";
import { sms } from "./sms.ts";
import { smsTwilio } from "./sms-twilio.ts";
import { smtp } from "./smtp.ts";
import { sqs } from "./sqs.ts";
import { whatsapp } from "./whatsapp.ts";

export const commands: readonly Command[] = [
  email,
  smtp,
  sendgrid,
  sms,
  smsTwilio,
  whatsapp,
  mqtt,
  sqs,
  notification,
  attachment,
  consoleLine,
];
