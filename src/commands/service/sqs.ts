import type { SQSMessages } from "../../index.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { addSecretObject, credentialsDetails, credentialsOption } from "./credentials.ts";
import { defineService } from "./define-service.ts";

export const sqs = defineService({
  verb: "sqs",
  summary: "Send messages to an AWS SQS queue",
  details: `Each item of a list is sent as one message. ${credentialsDetails}`,
  path: "/analysis/services/queue-sqs/send",
  fields: [{ flag: "data", kind: "json", summary: "a message or a list of messages, as JSON or @file" }],
  options: [credentialsOption("accessKeyId, secretAccessKey, region and queueUrl")],
  needs: { data: `--data '{"level": 3}'` },
  examples: [
    `iot service sqs --data '[{"level":3},{"level":4}]' --credentials sqs.json --analysis name:alert`,
    `iot service sqs --data '{"level":3}' --credentials - --dry-run < sqs.json`,
  ],
  async complete(ctx, input, body) {
    if (Array.isArray(body["data"]) && body["data"].length === 0) {
      throw usageError("--data contains no message.", { next: "Give a message or a list of messages." });
    }
    const example = { accessKeyId: "…", secretAccessKey: "…", region: "us-east-1", queueUrl: "https://…" };
    await addSecretObject(ctx, input, body, "sqs_secret", example);
  },
  wire({ data, ...body }) {
    return { ...body, dataList: Array.isArray(data) ? data : [data], batch_enabled: true };
  },
  send: (services, body) => services.aws_sqs.sendMessage(body as unknown as SQSMessages),
});
