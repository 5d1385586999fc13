// Services of an analysis: emails, text messages, MQTT, notifications, queues and PDFs.
import { Analysis, type EmailWithTemplate, Services, type TagoContext } from "iotdeck";

const invitation: EmailWithTemplate = {
  to: ["jo@example.org", "kim@example.org"],
  template: { name: "invite", params: { name: "Jo", count: 2 } },
};

async function send(context: TagoContext): Promise<void> {
  const services = new Services({ token: context.token });
  await services.email.send({
    to: ["jo@example.org"],
    subject: "Tank",
    message: "Full",
    attachment: { archive: "a", filename: "a.txt" },
  });
  await services.email.send({ to: "jo@example.org", subject: "Tank", html: "<b>Full</b>" });
  await services.email.send(invitation);
  await services.sms.send({ to: "+15550100", message: "Full" });
  const qos: number = 1;
  await services.MQTT.publish({ topic: "tank", message: "full", device: "61f1b8a4b3d2f4001a2b3c4d", options: { qos } });
  await services.Notification.send({ title: "Tank", message: "Full", buttons_enabled: true });
  await services.Attachment.upload({ name: "a.txt", content: "YQ==", type: "text/plain" });
  await services.console.log("sent", new Date());
  await services.aws_sqs.sendMessage({
    sqs_secret: { aws_region: "us-east-1", queue_url: "https://q", access_key_id: "k", secret_access_key: "s" },
    data: { variable: "level", value: 5 },
  });
  const { result } = await services.PDF.generate({ html: "<p>Report</p>", options: { format: "A4", landscape: true } });
  context.log(result.length);
}
Analysis.use(send, { token: "a-token", loadEnvOnProcess: true });
