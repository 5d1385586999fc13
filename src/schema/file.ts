import { z } from "zod";
import { FILE_PATH_MAX_CHARS, UPLOAD_MAX_PARTS } from "../lib/core/limits.ts";
import type { Base64File, Files, FilesPermission, MoveFiles, UploadState } from "../lib/resources/index.ts";

const path = z.string().min(1, "Required").max(FILE_PATH_MAX_CHARS, `At most ${FILE_PATH_MAX_CHARS} characters`);

/** Forms carry strings only. */
const flag = z
  .union([z.boolean(), z.string()])
  .transform((value) => value === true || value === "true" || value === "1");

const base64 = z
  .string()
  .transform((text) => text.replace(/^data:[^,]{0,200};base64,/, "").replaceAll(/\s/g, ""))
  .refine((text) => /^[\w+/-]*={0,2}$/.test(text), "Must be base64");

/** One file of the list that `POST /files` takes. */
const base64File = z.object({
  filename: path,
  file: base64,
  public: flag.exactOptional(),
}) satisfies z.ZodType<Base64File>;

export const fileMoves = z.array(z.object({ from: path, to: path })) satisfies z.ZodType<MoveFiles[]>;

export const filePermissions = z.array(z.object({ file: path, public: z.boolean() })) satisfies z.ZodType<
  FilesPermission[]
>;

export const fileNames = z.array(z.string()) satisfies z.ZodType<Parameters<Files["delete"]>[0]>;

const part = z.object({ ETag: z.string().max(200), PartNumber: z.coerce.number().int() });

const uploadId = z.string().min(1, "Required").max(200);

/** Form field the file belongs to. */
const fieldId = z.string().max(500);

/** Steps of a multipart upload: forms, or JSON. */
const uploadStep = z.discriminatedUnion("multipart_action", [
  z.object({
    multipart_action: z.literal("start"),
    filename: path,
    public: flag.exactOptional(),
    contentType: z.string().exactOptional(),
    field_id: fieldId.exactOptional(),
  }),
  z.object({
    multipart_action: z.literal("upload"),
    upload_id: uploadId,
    part: z.coerce.number().int().min(1).max(UPLOAD_MAX_PARTS),
    /** Content of the part, which the reader of the body has stored. */
    file: z.object({ id: z.string(), size: z.number(), md5: z.string() }, "Required"),
  }),
  z.object({
    multipart_action: z.literal("end"),
    upload_id: uploadId,
    parts: z
      .union([z.array(part), z.string().transform(parseList).pipe(z.array(part))])
      .refine((parts) => parts.length <= UPLOAD_MAX_PARTS, `At most ${UPLOAD_MAX_PARTS} parts`),
    field_id: fieldId.exactOptional(),
  }),
  z.object({ multipart_action: z.literal("abort"), upload_id: uploadId }),
]) satisfies z.ZodType<{
  multipart_action: string;
  upload_id?: UploadState["uploadId"];
  parts?: UploadState["parts"];
}>;

/** A list in a form is a JSON string. */
function parseList(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Files as base64. */
const base64Files = z.array(base64File).max(1000, "At most 1000 files") satisfies z.ZodType<Base64File[]>;

export type UploadStep = z.infer<typeof uploadStep>;

const schema = z.union([base64Files, uploadStep]);

/** Body of `POST /files`: files as base64, or a step of an upload. */
export const filesPost = {
  schema,
  safeParse: (body: unknown): z.ZodSafeParseResult<z.infer<typeof base64Files> | UploadStep> =>
    Array.isArray(body) ? base64Files.safeParse(body) : uploadStep.safeParse(body),
};
