import { CommandError, notFoundError } from "../../../kit/failures/command-error.ts";
import { networkCode, networkReason } from "../../../kit/failures/network-reason.ts";
import { redact } from "../../../kit/say/redact.ts";

export const statusOf = (error: unknown): number | undefined => {
  const { $metadata: metadata } = (error ?? {}) as { readonly $metadata?: { readonly httpStatusCode?: number } };
  return metadata?.httpStatusCode;
};

/** Names of rejections that are about who asks, with any object. */
const aboutCredentials =
  /^(CredentialsProviderError|AccessDenied|AllAccessDisabled|ExpiredToken|InvalidAccessKeyId|InvalidToken|SignatureDoesNotMatch|TokenRefreshRequired|UnauthorizedAccess|Forbidden|403)$/;
/** Names of failures that another attempt may not meet. */
const passing = /^(TimeoutError|RequestTimeout|SlowDown|ServiceUnavailable|InternalError|NoSuchUpload|BadDigest)$/;

/** The failure of a request to S3. Only its name and message are shown, which contain no credentials. */
export function explained(error: unknown, bucket: string): unknown {
  if (!(error instanceof Error) || error instanceof CommandError) return error;
  const { name, message } = error;
  const status = statusOf(error);
  const why = redact(message === "UnknownError" || message === "" ? `The response was ${status ?? name}.` : message);
  if (name === "NoSuchBucket" || (name === "NotFound" && status === 404))
    return notFoundError(`The bucket ${bucket} does not exist.`, {
      code: "s3.no_bucket",
      next: "Create it first; AWS_ENDPOINT_URL and AWS_REGION say where it is looked for.",
    });
  if (aboutCredentials.test(name) || status === 401 || status === 403)
    return new CommandError(`The bucket ${bucket} cannot be used.`, {
      code: "s3.denied",
      exit: 4,
      why,
      next: "Check AWS_PROFILE or AWS_ACCESS_KEY_ID; docs/lake.md lists the permissions that are needed.",
      cause: error,
    });
  const code = networkCode(error);
  if (code !== undefined || passing.test(name) || (status ?? 0) >= 500)
    return new CommandError(`The bucket ${bucket} cannot be reached.`, {
      code: "s3.unreachable",
      exit: 10,
      why: code === undefined ? why : networkReason(error),
      next: "Check the network and AWS_ENDPOINT_URL, then run the same command again.",
      cause: error,
    });
  if (status === undefined) return error;
  return new CommandError(`The bucket ${bucket} rejected a request.`, {
    code: "s3.failed",
    exit: 1,
    why,
    cause: error,
  });
}
