import { createRequire } from "node:module";
import type { S3Client } from "@aws-sdk/client-s3";
import type { CommandContext } from "../../../kit/context.ts";
import { CommandError } from "../../../kit/failures/command-error.ts";
import { rememberSecret } from "../../../kit/say/redact.ts";
import { explained } from "./failures.ts";

/** An open client and its package. */
export interface S3Connection {
  readonly sdk: typeof import("@aws-sdk/client-s3");
  readonly Upload: typeof import("@aws-sdk/lib-storage").Upload;
  readonly client: S3Client;
}

/** One for each run: a worker opens the store for every item. */
const open = new WeakMap<CommandContext["env"], Promise<S3Connection>>();

/** Connects with the credentials, region and endpoint that the AWS variables and profiles name. */
export function s3Connection(ctx: CommandContext, bucket: string): Promise<S3Connection> {
  const known = open.get(ctx.env);
  if (known !== undefined) return known;
  const made = connect(ctx, bucket);
  open.set(ctx.env, made);
  made.catch(() => open.delete(ctx.env));
  return made;
}

function load(): Omit<S3Connection, "client"> {
  // Else the package warns on stderr of versions of Node that its later releases will need.
  process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] ??= "true";
  try {
    const require = createRequire(import.meta.url);
    const sdk = require("@aws-sdk/client-s3") as typeof import("@aws-sdk/client-s3");
    const { Upload } = require("@aws-sdk/lib-storage") as typeof import("@aws-sdk/lib-storage");
    return { sdk, Upload };
  } catch (cause) {
    throw new CommandError("The packages for S3 are not installed.", {
      code: "s3.not_installed",
      exit: 1,
      why: "s3:// needs @aws-sdk/client-s3 and @aws-sdk/lib-storage, which are installed on request only.",
      next: "Run npm install @aws-sdk/client-s3 @aws-sdk/lib-storage beside iotdeck (npm install -g, where iotdeck was installed so).",
      cause,
    });
  }
}

const CONNECT_MS = 10_000;
/** A server that is silent for this long in the middle of a request is given up. */
const SILENCE_MS = 60_000;

async function connect(ctx: CommandContext, bucket: string): Promise<S3Connection> {
  const { sdk, Upload } = load();
  const { trusting } = await import("../../../../lib/http/node-transport.ts");
  const httpsAgent = { keepAlive: true, maxSockets: 50, ...trusting(ctx.clientOptions().ca) };
  const requestHandler = { connectionTimeout: CONNECT_MS, socketTimeout: SILENCE_MS, httpsAgent };
  const found = await endpointOf(sdk, bucket);
  const region = found.region === undefined ? {} : { region: found.region };
  const settings = { requestHandler, forcePathStyle: !found.isAmazon, followRegionRedirects: true, ...region };
  const client = new sdk.S3Client(settings);
  try {
    const { secretAccessKey, sessionToken } = await client.config.credentials();
    rememberSecret(secretAccessKey);
    rememberSecret(sessionToken);
  } catch (error) {
    throw explained(error, bucket);
  }
  return { sdk, Upload, client };
}

interface Endpoint {
  readonly isAmazon: boolean;
  /** Where none is configured and any will do. */
  readonly region?: string;
}

/**
 * Which host requests go to, as variables and profile say. Servers other than Amazon's are addressed by path: few have a
 * host name for each bucket.
 */
async function endpointOf({ S3Client, HeadBucketCommand }: S3Connection["sdk"], bucket: string): Promise<Endpoint> {
  const isRegionSet = await new S3Client({}).config.region().then(
    () => true,
    () => false,
  );
  const region = isRegionSet ? {} : { region: "us-east-1" };
  const client = new S3Client({ ...region, credentials: { accessKeyId: "none", secretAccessKey: "none" } });
  let host = "";
  // Instead of the request: nothing is sent.
  client.middlewareStack.add(
    (_next, context) => async () => {
      host = context.endpointV2?.url.hostname ?? "";
      return { response: {}, output: { $metadata: {} } };
    },
    { step: "build" },
  );
  await client.send(new HeadBucketCommand({ Bucket: bucket }));
  const isAmazon = /\.amazonaws\.com(\.cn)?$/.test(host);
  if (!isAmazon || isRegionSet) return { isAmazon, ...region };
  throw new CommandError("The AWS region is not known.", {
    code: "s3.no_region",
    exit: 2,
    next: "Set AWS_REGION, or AWS_ENDPOINT_URL for another server than Amazon's.",
  });
}
