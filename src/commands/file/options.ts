import { defined } from "../../lib/core/defined.ts";
import { UPLOAD_MIN_PART_BYTES } from "../../lib/core/limits.ts";
import type { Options, OptionsOf } from "../kit/command/options.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { onOff } from "../kit/resource/body.ts";
import type { UploadJob } from "./upload-one.ts";

/** Flags of transfers. */
export const transferOptions = [
  { name: "resume", summary: "resume an interrupted transfer" },
  { name: "checksum", summary: "compare sizes only, not MD5 checksums", negatable: true },
] as const satisfies Options;

/** Flags of everything that uploads. */
export const uploadOptions = [
  { name: "public", opposite: "private", summary: "anyone can read the file" },
  { name: "private", summary: "only profile tokens and signed URLs can read the file" },
  { name: "chunk-size", value: "size", summary: "size of a part: 7MB, 5242880; at least 5 MiB (7MiB)" },
  ...transferOptions,
] as const satisfies Options;

/** The name `--concurrency` had in transfers. */
export const formerFlags = { concurrency: ["jobs"] } as const;

/** Flags of `file upload`. */
export const fileOptions = [
  { name: "path", value: "path", summary: "path in the profile: reports/ or reports/2024.csv" },
  { name: "content-type", value: "type", summary: "media type (by file name)" },
  ...uploadOptions,
] as const satisfies Options;

const units: Readonly<Record<string, number>> = {
  "": 1,
  b: 1,
  kb: 1_000,
  kib: 1_024,
  mb: 1_000_000,
  mib: 1_048_576,
  gb: 1_000_000_000,
  gib: 1_073_741_824,
};

/** Bytes of `7MB`, `7MiB` or `7340032`. */
function parseSize(text: string, flag: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim());
  const unit = units[(match?.[2] ?? "?").toLowerCase()];
  const bytes = unit === undefined ? Number.NaN : Math.round(Number(match?.[1]) * unit);
  if (Number.isSafeInteger(bytes) && bytes > 0) return bytes;
  throw usageError(`Invalid size ${quote(text)} for ${flag}.`, {
    next: "Use a size such as 7MB, 16MiB or 7340032.",
  });
}

type UploadFlags = OptionsOf<typeof uploadOptions>;

/**
 * How the flags want files to be sent.
 *
 * @param largestBytes the largest file that is sent
 */
export const sendingOf = (
  options: UploadFlags,
  largestBytes: number,
): Pick<UploadJob, "isPublic" | "chunkSize" | "isResumed" | "isChecked"> => ({
  isPublic: onOff(options.public, options.private),
  chunkSize: chunkSizeOf(options, largestBytes),
  isResumed: options.resume,
  isChecked: options.checksum,
});

/** Bytes of one part. */
function chunkSizeOf({ chunkSize: text }: UploadFlags, largestBytes: number): number | undefined {
  if (text === undefined) return undefined;
  const bytes = parseSize(text, "--chunk-size");
  if (bytes >= UPLOAD_MIN_PART_BYTES || largestBytes <= bytes) return bytes;
  throw usageError(`--chunk-size ${text} is too small.`, {
    why: `Parts must be at least ${UPLOAD_MIN_PART_BYTES / 1024 / 1024} MiB.`,
    next: `Use ${UPLOAD_MIN_PART_BYTES / 1024 / 1024}MiB or more; small files are sent in one part.`,
  });
}

const USUAL_FILES = 3;
/** Each file is sent in up to three parts at a time. */
const MOST_FILES = 16;

/** Files to transfer at a time. */
export const filesAtATime = ({ flags }: CommandContext): number =>
  Math.min(flags.concurrency ?? USUAL_FILES, MOST_FILES);

/** The property of a request that says who may read a file. */
export function publicMember(isPublic: boolean | undefined): { readonly public?: boolean } {
  return defined({ public: isPublic });
}
