import type { PublishMQTT, SQSMessages } from "../../index.ts";
import { deviceFinder } from "../device/finder.ts";
import { option, optionFlag } from "../kit/command/arguments.ts";
import type { Command } from "../kit/command/define.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { isObject } from "../kit/files/files.ts";
import { resolveId } from "../kit/resource/resolve-id.ts";
import { addSecretObject, credentialsDetails, credentialsOption } from "./credentials.ts";
import { defineService } from "./define-service.ts";

const mqtt = defineService({
  verb: "mqtt",
  summary: "Publish a message on the platform's MQTT broker",
  path: "/analysis/services/mqtt/publish",
  fields: [
    { flag: "topic", summary: "topic" },
    { flag: "message", summary: "message; @file reads it, @- is stdin" },
  ],
  options: [
    { name: "device", value: "id", summary: "device that publishes: id, name:…, tag:…, serial:…" },
    { name: "qos", value: "n", summary: "quality of service", choices: ["0", "1", "2"] },
    { name: "retain", summary: "let the broker keep the message" },
  ],
  needs: { topic: "--topic tank/valve", message: "--message open", device: '--device "name:Freezer 1"' },
  examples: [
    'iot service mqtt --device "name:Freezer 1" --topic freezer/door --message open --analysis name:alert',
    'iot service mqtt --device "name:Freezer 1" --topic freezer/door --message open --qos 1 --retain --dry-run',
  ],
  related: ["iot network publish"],
  async complete(ctx, input, body) {
    const device = option(input, "device");
    if (device !== undefined) body["device"] = (await resolveId(ctx, deviceFinder, device)).id;
    const qos = option(input, "qos");
    const options = isObject(body["options"]) ? body["options"] : {};
    const given = {
      ...options,
      ...(qos === undefined ? {} : { qos: Number(qos) }),
      ...(optionFlag(input, "retain") ? { retain: true } : {}),
    };
    if (Object.keys(given).length > 0) body["options"] = given;
  },
  wire({ options, ...body }) {
    return { ...(isObject(options) ? options : {}), ...body };
  },
  send: (services, body) => services.mqtt.publish(body as unknown as PublishMQTT),
});

const sqs = defineService({
  verb: "sqs",
  summary: "Put messages into a queue of AWS SQS",
  details: `A list is sent as several messages. ${credentialsDetails}`,
  path: "/analysis/services/queue-sqs/send",
  fields: [{ flag: "data", kind: "json", summary: "one message or a list of them, as JSON or @file" }],
  options: [credentialsOption("accessKeyId, secretAccessKey, region and queueUrl")],
  needs: { data: `--data '{"level": 3}'` },
  examples: [
    `iot service sqs --data '[{"level":3},{"level":4}]' --credentials sqs.json --analysis name:alert`,
    `iot service sqs --data '{"level":3}' --credentials - --dry-run < sqs.json`,
  ],
  async complete(ctx, input, body) {
    if (Array.isArray(body["data"]) && body["data"].length === 0) {
      throw usageError("--data holds no message.", { next: "Give one message, or a list of them." });
    }
    const example = { accessKeyId: "…", secretAccessKey: "…", region: "us-east-1", queueUrl: "https://…" };
    await addSecretObject(ctx, input, body, "sqs_secret", example);
  },
  wire({ data, ...body }) {
    return { ...body, dataList: Array.isArray(data) ? data : [data], batch_enabled: true };
  },
  send: (services, body) => services.aws_sqs.sendMessage(body as unknown as SQSMessages),
});

export const queueCommands: readonly Command[] = [mqtt, sqs];
