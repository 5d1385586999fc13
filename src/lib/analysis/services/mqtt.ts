import { assertObject } from "../../api/assert.ts";
import type { CallOptions } from "../../api/client.ts";
import { Module } from "../../api/module.ts";
import { InputError } from "../../core/errors.ts";
import type { GenericID } from "../../resources/data-types.ts";
import { serviceRoutes } from "./routes.ts";

/** A message for the platform's MQTT broker. */
export interface PublishMQTT {
  /** Topic to publish to, without wildcards. */
  topic: string;
  /** A string, or a value that is sent as JSON. */
  message: unknown;
  /** The device that publishes. */
  device?: GenericID;
  /** @deprecated use `device` */
  bucket?: GenericID;
  /** Quality of service `qos` and `retain`, which the broker does not do; further properties are sent too. */
  options?: { qos?: number; retain?: boolean; [more: string]: unknown };
}

/** Messages to the platform's MQTT broker. */
export class MQTTService extends Module {
  /**
   * Publishes a message. Properties of `options` never replace topic, message or device.
   *
   * @throws InputError `Either bucket or device must be provided`
   * @example
   * ```ts
   * await services.mqtt.publish({ device: deviceID, topic: "tank/valve", message: { open: true }, options: { qos: 1 } });
   * ```
   */
  async publish(mqtt: PublishMQTT, options?: CallOptions): Promise<string> {
    assertObject(mqtt, "mqtt");
    const { topic, message } = mqtt;
    const device = mqtt.device || mqtt.bucket;
    if (!device) throw new InputError("Either bucket or device must be provided", "device");
    return this.call(serviceRoutes.mqtt, { ...options, body: { ...mqtt.options, topic, message, device } });
  }
}
