import { assertObject } from "../../api/assert.ts";
import type { CallOptions } from "../../api/client.ts";
import { Module } from "../../api/module.ts";
import { needJsonSecret } from "./checks.ts";
import { serviceRoutes } from "./routes.ts";

/** Messages for a queue. */
export interface SQSMessages {
  /** Keys and address of the queue, as an object or a JSON string. */
  sqs_secret: string | object;
  /** One message or a list. */
  data?: unknown;
}

/** Messages to queues of AWS SQS. */
export class SQSService extends Module {
  /**
   * Puts messages into a queue, as one batch.
   *
   * @throws InputError `SQS Secret is not a valid JSON` for a string that is not JSON
   * @example
   * ```ts
   * await services.aws_sqs.sendMessage({
   *   sqs_secret: { accessKeyId: "AK", secretAccessKey: "secret", region: "us-east-1", queueUrl: "https://sqs.example.org/q" },
   *   data: [{ level: 3 }, { level: 4 }],
   * });
   * ```
   */
  async sendMessage(sqsData: SQSMessages, options?: CallOptions): Promise<string> {
    assertObject(sqsData, "sqsData");
    needJsonSecret(sqsData.sqs_secret, "sqs_secret", "SQS Secret is not a valid JSON");
    const { data, ...rest } = sqsData;
    const dataList: readonly unknown[] = Array.isArray(data) ? data : [data];
    return this.call(serviceRoutes.sqs, { ...options, body: { ...rest, dataList, batch_enabled: true } });
  }
}
