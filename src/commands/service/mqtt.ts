import type { PublishMQTT } from "../../index.ts";
import { isObject } from "../kit/files/files.ts";
import { deviceFinder } from "../kit/finders/device.ts";
import { resolveId } from "../kit/resource/resolve-id.ts";
import { defineService } from "./define-service.ts";

export const mqtt = defineService({
  verb: "mqtt",
  summary: "Publish a message on the platform's MQTT broker",
  path: "/analysis/services/mqtt/publish",
  fields: [
    { name: "topic", kind: "content", summary: "topic" },
    { name: "message", kind: "content", summary: "message; @file reads a file, @- is stdin" },
  ],
  options: [
    { name: "device", value: "id", summary: "device to publish as: id, name:…, tag:…, serial:…" },
    { name: "qos", value: "n", summary: "quality of service", choices: ["0", "1", "2"] },
    { name: "retain", summary: "ask the broker to retain the message" },
  ],
  needs: { topic: "--topic tank/valve", message: "--message open", device: '--device "name:Freezer 1"' },
  examples: [
    'iot service mqtt --device "name:Freezer 1" --topic freezer/door --message open --analysis name:alert',
    'iot service mqtt --device "name:Freezer 1" --topic freezer/door --message open --qos 1 --retain --dry-run',
  ],
  related: ["iot network publish"],
  async complete(ctx, input, body) {
    const device = input.options.device;
    if (device !== undefined) body["device"] = (await resolveId(ctx, deviceFinder, device)).id;
    const qos = input.options.qos;
    const options = isObject(body["options"]) ? body["options"] : {};
    const given = {
      ...options,
      ...(qos === undefined ? {} : { qos: Number(qos) }),
      ...(input.options.retain ? { retain: true } : {}),
    };
    if (Object.keys(given).length > 0) body["options"] = given;
  },
  wire({ options, ...body }) {
    return { ...(isObject(options) ? options : {}), ...body };
  },
  send: (services, body) => services.mqtt.publish(body as unknown as PublishMQTT),
});
