import type { CallOptions } from "../api/client.ts";
import { InputError } from "../core/errors.ts";
import { fileOrigin, uploadPath } from "../files/file-url.ts";
import { ProfileResources } from "../resources/profile-resources.ts";

/** A small file to upload in one request. */
export interface UploadFileOptions {
  /** Name of the file. */
  filename: string;
  /** Content, base64. */
  file_base64: string;
  /** Whether the file is public. @default true */
  public?: boolean;
  /** Folder in the profile; must contain a slash. */
  path?: string;
}

/**
 * Uploads a small file and returns its URL.
 *
 * @param resource a `Resources` or `Account`
 * @throws InputError `The parameter 'resource' must be an instance of a TagoIO Resource.`
 * @throws InputError `Invalid file path: {path}`
 * @example
 * ```ts
 * const url = await Utils.uploadFile(resources, { filename: "a.txt", file_base64: btoa("a"), path: "/notes", public: false });
 * ```
 */
export async function uploadFile(
  resource: ProfileResources,
  options: UploadFileOptions,
  callOptions?: CallOptions,
): Promise<string> {
  if (!(resource instanceof ProfileResources))
    throw new InputError("The parameter 'resource' must be an instance of a TagoIO Resource.", "resource");
  if (typeof options?.filename !== "string" || options.filename === "")
    throw new InputError("Invalid filename: it must be a non-empty string", "filename");
  if (typeof options.file_base64 !== "string")
    throw new InputError("Invalid file_base64: it must be a string", "file_base64");
  const { info } = await resource.profiles.info("current", callOptions);
  const filename = uploadPath(options.path, options.filename);
  await resource.files.uploadBase64(
    [{ filename, file: options.file_base64, public: options.public ?? true }],
    callOptions,
  );
  // As the official SDK writes it, save for characters that would name another file.
  const shown = filename.replace(/[%?#\\]/g, encodeURIComponent);
  return `${fileOrigin(resource.client.options.region)}/file/${info.id}/${shown}`;
}
