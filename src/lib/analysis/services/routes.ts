import { post } from "../../api/route.ts";

/**
 * The services an analysis may use.
 *
 * @internal
 */
export const serviceRoutes = {
  console: post("/analysis/services/console/send"),
  sms: post("/analysis/services/sms/send"),
  email: post("/analysis/services/email/send"),
  twilio: post("/analysis/services/sms-twilio/send"),
  twilioWhatsapp: post("/analysis/services/whatsapp-twilio/send"),
  smtp: post("/analysis/services/email-smtp/send"),
  sendgrid: post("/analysis/services/email-sendgrid/send"),
  sqs: post("/analysis/services/queue-sqs/send"),
  mqtt: post("/analysis/services/mqtt/publish"),
  notification: post("/analysis/services/notification/send"),
  attachment: post("/analysis/services/attachment/upload"),
  tagotip: post("/tip/cmd"),
};
