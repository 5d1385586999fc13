import { usageError } from "../../../kit/failures/command-error.ts";

export interface S3Address {
  readonly bucket: string;
  /** Path below the bucket, without a slash at its ends; may be empty. */
  readonly prefix: string;
}

/** Whether a destination is in S3, or was meant to be. */
export const isS3 = (out: string): boolean => /^s3:/i.test(out);

/** The bucket and path of `s3://bucket/prefix`. Nothing of a wrong one is shown, as it may hold a secret. */
export function s3Address(out: string): S3Address {
  if (/^s3:\/*[^/]*@/i.test(out) || /[?#]/.test(out)) {
    throw usageError("The address in S3 must not contain credentials.", {
      code: "usage.secret_value",
      why: "It would be stored with the job and shown to others.",
      next: "Use s3://bucket/prefix, and give the credentials as AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.",
    });
  }
  const [, bucket, path = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/i.exec(out) ?? [];
  const names = path.split("/").filter((name) => name !== "");
  const isPlain = !names.some((name) => name === "." || name === "..") && !/[\\\p{Cc}]/u.test(path);
  if (bucket !== undefined && isPlain) return { bucket, prefix: names.join("/") };
  throw usageError("The address in S3 is not valid.", {
    code: "usage.invalid_value",
    next: "Use s3://bucket/prefix.",
  });
}
