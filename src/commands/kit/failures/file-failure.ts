import { dirname } from "node:path";
import { cleanLine } from "../../../text/clean.ts";

interface FileFailure {
  readonly code: string;
  readonly message: string;
  readonly why: string;
  readonly next: string;
  readonly exit: number;
}

const fileRules: Readonly<
  Record<string, { readonly code: string; readonly exit: number; readonly says: string; readonly next: string }>
> = {
  ENOENT: { code: "file.not_found", exit: 3, says: "does not exist", next: "Check the path." },
  EISDIR: { code: "file.is_folder", exit: 3, says: "is a folder", next: "Give a file in it." },
  ENOTDIR: {
    code: "file.not_found",
    exit: 3,
    says: "cannot exist: part of its path is a file",
    next: "Check the path.",
  },
  EEXIST: { code: "file.exists", exit: 7, says: "already exists", next: "Choose another name." },
  EACCES: { code: "file.permission", exit: 1, says: "cannot be opened", next: "Change its permissions." },
  EPERM: { code: "file.permission", exit: 1, says: "cannot be changed", next: "Change its permissions." },
  EROFS: { code: "file.permission", exit: 1, says: "is on a read-only disk", next: "Choose another folder." },
  ENOSPC: {
    code: "file.no_space",
    exit: 1,
    says: "could not be written: the disk is full",
    next: "Free some space, then run the command again.",
  },
  EDQUOT: {
    code: "file.no_space",
    exit: 1,
    says: "could not be written: the disk quota is exceeded",
    next: "Free some space.",
  },
  EFBIG: {
    code: "file.no_space",
    exit: 1,
    says: "could not be written: the file would be too large",
    next: "Choose another folder, or raise the limit.",
  },
  EMFILE: {
    code: "file.too_many",
    exit: 1,
    says: "could not be opened: too many files are open",
    next: "Lower --concurrency.",
  },
};

/** A failure of the file system. */
export function fileFailure(error: unknown): FileFailure | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  const rule = fileRules[error.code];
  if (rule === undefined) return undefined;
  const path = "path" in error && typeof error.path === "string" ? cleanLine(error.path, 300) : "The file";
  if (rule.code === "file.permission" && "syscall" in error && error.syscall === "mkdir") {
    return {
      code: rule.code,
      message: `The folder ${path} cannot be created.`,
      why: `The folder ${dirname(path)} is not writable (${error.code}).`,
      next: "Change its permissions, or choose another folder; IOT_CONFIG_DIR names one for the settings and state of iot.",
      exit: rule.exit,
    };
  }
  // A file is written next to its target and then renamed, so the folder must be writable.
  if (rule.code === "file.permission" && "isWriting" in error) {
    return {
      code: rule.code,
      message: `${path} cannot be written.`,
      why: `The folder ${dirname(path)} is not writable (${error.code}).`,
      next: "Choose another folder, or change its permissions.",
      exit: rule.exit,
    };
  }
  return {
    code: rule.code,
    message: `${path} ${rule.says}.`,
    why: `The system returned ${error.code}.`,
    next: rule.next,
    exit: rule.exit,
  };
}
