import { defined } from "../../lib/core/defined.ts";
import { option } from "../kit/command/arguments.ts";
import type { CommandInput } from "../kit/command/define.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";

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

const LEAST_PART_BYTES = 5 * 1024 * 1024;

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

/**
 * Bytes of one part. The platform takes none below 5 MiB but the last.
 *
 * @param largestBytes the largest file that is sent
 */
export function chunkSizeOf(input: CommandInput, largestBytes: number): number | undefined {
  const text = option(input, "chunk-size");
  if (text === undefined) return undefined;
  const bytes = parseSize(text, "--chunk-size");
  if (bytes >= LEAST_PART_BYTES || largestBytes <= bytes) return bytes;
  throw usageError(`--chunk-size ${text} is too small.`, {
    why: "Parts must be at least 5 MiB.",
    next: "Use 5MiB or more; small files are sent in one part.",
  });
}

const USUAL_FILES = 3;
/** Each file is sent in up to three parts at a time. */
const MOST_FILES = 16;

/** Files to transfer at a time. */
export const filesAtATime = ({ flags }: CommandContext): number =>
  Math.min(flags.concurrency ?? USUAL_FILES, MOST_FILES);

/** The member of a request that says who may read a file. */
export function publicMember(isPublic: boolean | undefined): { readonly public?: boolean } {
  return defined({ public: isPublic });
}
