import { allMarked } from "../api/all-rows.ts";
import { idsToDelete } from "../api/assert.ts";
import { checkQuery, wholeNumber } from "../api/check-query.ts";
import type { CallOptions } from "../api/client.ts";
import type { DateKeys } from "../api/dates.ts";
import type { Given, Stored } from "../api/list-query.ts";
import { Module } from "../api/module.ts";
import { del, get, post, put, type Route } from "../api/route.ts";
import { InputError, SdkError } from "../core/errors.ts";
import { FILE_LIST_QTY, MAX_FILE_LIST_QTY } from "../core/limits.ts";
import type { UploadInput } from "../files/source.ts";
import type { UploadOptions } from "../files/upload-options.ts";
import { type UploadedFile, upload } from "../files/uploader.ts";

export type { ByteStream, UploadInput } from "../files/source.ts";
export type { UploadedPart, UploadOptions, UploadState } from "../files/upload-options.ts";
export type { UploadedFile } from "../files/uploader.ts";

/**
 * Routes of `Resources.files`.
 *
 * @internal
 */
export const fileRoutes = {
  list: get("/files", { dates: ["files.last_modified"] satisfies [`files.${DateKeys<FileInfo>[number]}`] }),
  uploadBase64: post("/files"),
  move: put("/files"),
  copy: put("/files/copy"),
  delete: del("/files"),
  checkPermission: get("/files/permission"),
  changePermission: put("/files/permission"),
};

/** The files of the profile. */
export class Files extends Module {
  /**
   * Lists the files and folders of a folder.
   *
   * @param queryObj path (`/`), quantity (300), paginationToken
   * @example
   * ```ts
   * const { files, folders, pagination_token } = await resources.files.list({ path: "/reports", quantity: 100 });
   * ```
   */
  async list(queryObj?: Given<FileQuery>, options?: CallOptions): Promise<StoredFileList> {
    wholeNumber(checkQuery(queryObj)["quantity"], "quantity");
    const query = {
      path: queryObj?.path || "/",
      pagination_token: queryObj?.paginationToken || undefined,
      qty: queryObj?.quantity || FILE_LIST_QTY,
    };
    return this.call(fileRoutes.list, { ...options, query });
  }

  /**
   * Iterates over all files of a folder, without those of its folders. Reads pages of `quantity` files and folders (1000)
   * as they are needed.
   *
   * @param queryObj as for `list`; starts at its `paginationToken`
   * @example
   * ```ts
   * for await (const { filename, size } of resources.files.all({ path: "/reports" })) console.log(filename, size);
   * ```
   */
  all(queryObj?: Given<FileQuery>, options?: CallOptions): AsyncGenerator<StoredFile, void, undefined> {
    return allMarked(queryObj?.paginationToken ?? "", options, async (paginationToken, call) => {
      checkQuery(queryObj);
      const page = await this.list({ quantity: MAX_FILE_LIST_QTY, ...queryObj, paginationToken }, call);
      if (!Array.isArray(page?.files)) throw new SdkError("Invalid reply: the list of files is missing");
      return { rows: page.files, next: page.pagination_token || undefined };
    });
  }

  /**
   * Uploads small files; for large ones see `uploadFile`.
   *
   * @example
   * ```ts
   * await resources.files.uploadBase64([{ filename: "/notes/hello.txt", file: btoa("hello"), public: false }]);
   * ```
   */
  uploadBase64(fileList: readonly Base64File[], options?: CallOptions): Promise<string> {
    return this.call(fileRoutes.uploadBase64, { ...options, body: fileList });
  }

  /**
   * Uploads a file of any size in parts, three at a time, in constant memory. A part that fails is tried again.
   *
   * @param file a Blob, bytes, a stream of bytes, or the path of a file (Node)
   * @param filename path of the file inside the profile
   * @param options also how to cancel the upload and how to go on with one that was interrupted (`onState`, `resume`)
   * @returns the address of the file
   * @throws InputError before anything is sent, for options that make no sense and files that cannot be read
   * @throws UploadError `Could not upload part number {n}: {reason}` when all attempts of a part failed
   * @throws CancelledError `Cancelled request`
   * @throws ApiError at once, when the platform rejects the start or says `You have exceeded the maximum limit`
   * @example
   * ```ts
   * const report = new Blob(["time,value\n"], { type: "text/csv" });
   * const { file } = await resources.files.uploadFile(report, "/reports/today.csv", {
   *   contentType: "text/csv",
   *   isPublic: false,
   *   onProgress: (percentage) => console.log(percentage),
   * });
   * ```
   */
  async uploadFile(file: UploadInput, filename: string, options?: UploadOptions): Promise<UploadedFile> {
    return upload(this.client, file, filename, options ?? {});
  }

  /**
   * Moves or renames files.
   *
   * @example
   * ```ts
   * await resources.files.move([{ from: "/notes/hello.txt", to: "/archive/hello.txt" }]);
   * ```
   */
  move(fileList: readonly MoveFiles[], options?: CallOptions): Promise<string> {
    return this.call(fileRoutes.move, { ...options, body: fileList });
  }

  /**
   * Copies files.
   *
   * @example
   * ```ts
   * await resources.files.copy([{ from: "/notes/hello.txt", to: "/notes/copy.txt" }]);
   * ```
   */
  copy(fileList: readonly MoveFiles[], options?: CallOptions): Promise<string> {
    return this.call(fileRoutes.copy, { ...options, body: fileList });
  }

  /**
   * Deletes files and folders.
   *
   * @param files paths inside the profile
   * @throws InputError for an empty list
   * @example
   * ```ts
   * await resources.files.delete(["/notes/hello.txt"]);
   * ```
   */
  async delete(files: readonly string[], options?: CallOptions): Promise<string> {
    return this.call(fileRoutes.delete, { ...options, body: idsToDelete(files, "files") });
  }

  /**
   * Returns whether anybody may read a file.
   *
   * @returns `public`: whether anybody may read it
   * @example
   * ```ts
   * const { public: isPublic } = await resources.files.checkPermission("/notes/hello.txt");
   * ```
   */
  checkPermission(file: string, options?: CallOptions): Promise<{ public: boolean }> {
    return this.call(fileRoutes.checkPermission, { ...options, query: { file } });
  }

  /**
   * Sets who may read files.
   *
   * @example
   * ```ts
   * await resources.files.changePermission([{ file: "/notes/hello.txt", public: true }]);
   * ```
   */
  changePermission(filesVisibility: readonly FilesPermission[], options?: CallOptions): Promise<string> {
    return this.call(fileRoutes.changePermission, { ...options, body: filesVisibility });
  }

  /**
   * Returns an address that opens a private file without a token for a short time.
   *
   * @param url address of the file: `https://api.tago.io/file/{profile}/{path}`. Only its path is used
   * @throws InputError when the address is not that of a file
   * @example
   * ```ts
   * const address = "https://api.tago.io/file/61f1b8a4b3d2f4001a2b3c4d/notes/hello.txt";
   * const open = await resources.files.getFileURLSigned(address);
   * ```
   */
  async getFileURLSigned(url: string, options?: CallOptions): Promise<string> {
    return this.call(fileRoute(url), { ...options, query: { noRedirect: true } });
  }

  /**
   * Returns the MD5 sum of a file as hexadecimal digits.
   *
   * @param url address of the file, as for `getFileURLSigned`
   * @throws InputError when the address is not that of a file
   * @example
   * ```ts
   * const md5 = await resources.files.getFileMD5("https://api.tago.io/file/61f1b8a4b3d2f4001a2b3c4d/notes/hello.txt");
   * ```
   */
  async getFileMD5(url: string, options?: CallOptions): Promise<string> {
    return this.call(fileRoute(url), { ...options, query: { md5: true, noRedirect: true } });
  }
}

/** Asks for part of the files of a folder. */
export interface FileQuery {
  /** Folder. @default "/" */
  path?: string;
  /** The mark the page before ended with. */
  paginationToken?: string;
  /** Files and folders per page. @default 300, at most 1000 */
  quantity?: number;
}

/** A file. */
export interface FileInfo {
  /** Full path inside the profile, without a slash at its start. */
  filename: string;
  /** Length of the content, bytes. */
  size: number;
  /** When its content was last written; null when not known. */
  last_modified: Date | null;
  /** Whether anybody may read it. */
  public?: boolean;
}

/** What a folder holds. */
export interface FileListInfo {
  /** Files in the folder. */
  files: FileInfo[];
  /** Names of the folders in it. */
  folders: string[];
  /** MB the profile may use. */
  total?: number;
  /** MB the profile uses. */
  usage?: number;
  /** For the next page; absent on the last one. */
  pagination_token?: string;
}

/** A file as the platform returns it. */
export type StoredFile = Stored<FileInfo, "public">;

/** What a folder holds, as the platform returns it. */
export interface StoredFileList extends FileListInfo {
  /** Files in the folder. */
  files: StoredFile[];
  /** MB the profile may use. */
  total: number;
  /** MB the profile uses. */
  usage: number;
}

/** A file to upload in one piece. */
export interface Base64File {
  /** Path inside the profile. */
  filename: string;
  /** The content, base64. */
  file: string;
  /** Whether anybody may read it. @default false */
  public?: boolean;
}

/** A file to move or copy. Both are paths inside the profile. */
export interface MoveFiles {
  /** Path of the file as it is. */
  from: string;
  /** Path it gets; a file there is replaced. */
  to: string;
}

/** Who may read a file. */
export interface FilesPermission {
  /** Path inside the profile. */
  file: string;
  /** Whether anybody may read it. */
  public: boolean;
}

/** The path of a file's address, which is encoded already. Reading the address resolves every `..` first. */
function fileRoute(url: string): Route<never> {
  const isText = typeof url === "string";
  if (!isText || !URL.canParse(url)) throw new InputError(`${String(url)} is not a valid URL for TagoIO Files`, "url");
  const { protocol, pathname } = new URL(url);
  if (protocol !== "https:" && protocol !== "http:")
    throw new InputError(`${url} uses an invalid protocol for TagoIO Files`, "url");
  if (!pathname.startsWith("/file/")) throw new InputError(`${url} uses an invalid path for TagoIO Files`, "url");
  // A colon would be read as the name of a path part.
  return get(pathname.replaceAll(":", "%3A"), { result: "any" }) as Route<never>;
}
