import type { Gap } from "../core/gap.ts";

/** Assumptions about files and uploads. */
export const fileGaps = {
  paths: {
    subject: "Paths of files",
    choice: "empty segments, . and .. are dropped; 1,024 bytes at most; else 400 Invalid filename",
  },
  folderName: {
    subject: "GET /files, path without a final slash",
    choice: "the folder of this name, else names that start with it",
  },
  search: {
    subject: "GET /files?search=",
    choice:
      "files at any depth whose path holds the text, in any case; the platform filters the fetched page only, so its pages are short and later matches are missed",
  },
  host: {
    subject: "Host of the files",
    choice: "the sandbox itself, nothing is cached; addresses as /file/{profile}/{path}, not /{profile}/storage/{path}",
    general: true,
  },
  folders: {
    subject: "Moving, copying, permissions of a folder",
    choice: "every file under it; 404 file can't be found when there is none",
  },
  root: { subject: "Deleting the root of the files", choice: "nothing is deleted" },
  formField: {
    subject: "POST /data/files, upload of a form field",
    choice:
      "profile tokens: anywhere; others need access to the dashboard and store in the folder of the field (its path, else devices/{device id}) or where access rules let them upload; 400 for other names and for a file there with another visibility",
  },
  uploadOwner: {
    subject: "Uploads in parts",
    choice: "only the token's owner continues one; profile tokens continue all",
    general: true,
  },
  download: {
    subject: "GET /file",
    choice: "the bytes at once, no redirect; Range, HEAD, If-None-Match; ETag is the MD5",
    general: true,
  },
  etagOfParts: {
    subject: "ETag of a file in parts",
    choice: "MD5 of the MD5s of its parts, -, their number",
    general: true,
  },
  signedLinks: { subject: "Signed links", choice: "one hour; expires and signature in the query", general: true },
  unknownUpload: {
    subject: "Upload: unknown, finished or aborted id",
    choice: "404 Upload Not Found; ending it again returns the same file",
  },
  parts: {
    subject: "Upload: parts",
    choice: "numbers from 1 without a gap; small, missing or changed parts: 400; multipart_action=abort aborts it",
  },
  abandoned: { subject: "Uploads nobody completes", choice: "forgotten after seven days", general: true },
  base64: { subject: "POST /files with base64", choice: "64 MB at most, all files or none", general: true },
  storage: {
    subject: "File storage",
    choice: "200 MB, 10 GB, 100 GB by plan; total and usage in units of 1,048,576 bytes",
  },
  contentType: {
    subject: "Content type of a file",
    choice: "as sent, else by its extension; pages are served with a sandboxing policy",
    general: true,
  },
} as const satisfies Readonly<Record<string, Gap>>;
