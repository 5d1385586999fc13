import type { Command } from "../kit/command/define.ts";
import { attachment } from "./attachment.ts";
import { consoleLine } from "./console.ts";
import { email } from "./email.ts";
import { mqtt } from "./mqtt.ts";
import { notification } from "./notification.ts";
import { sms } from "./sms.ts";

export const commands: readonly Command[] = [email, sms, mqtt, notification, attachment, consoleLine];
