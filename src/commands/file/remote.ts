import type { Resources } from "../../index.ts";
import { ApiError } from "../../lib/core/errors.ts";
import { FILE_PATH_MAX_CHARS, MAX_FILE_LIST_QTY } from "../../lib/core/limits.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { notFoundError } from "../kit/failures/command-error.ts";
import { expectLists, expectTexts } from "../kit/resource/reply.ts";

/** A file of the profile. */
export interface RemoteFile {
  readonly filename: string;
  readonly size: number;
  readonly last_modified: Date | null;
  readonly public: boolean;
}

/** One page of a folder. */
interface RemotePage {
  readonly files: readonly RemoteFile[];
  /** Paths of the folders in it, each with its slash. */
  readonly folders: readonly string[];
}

/** The files of the profile, as commands need them. Paths have no slash at their start. */
export interface RemoteFiles {
  readonly client: Resources;
  /** `{address of the API} {profile}`: what makes two runs be about the same files. */
  readonly place: string;
  /** Address of a file; opens public files, and names every file. */
  address(path: string): string;
  /** Address that opens a file for a short time without a token. */
  signedAddress(path: string): Promise<string>;
  /** MD5 sum as hex digits. */
  md5(path: string): Promise<string>;
  /** Whether anybody may read the file; undefined when there is no such file. */
  isPublic(path: string): Promise<boolean | undefined>;
  /** Pages of a folder (`reports/`, or nothing for the root). */
  pages(folder: string, pageRows?: number): AsyncGenerator<RemotePage>;
  /** Every file below a folder. */
  below(folder: string): AsyncGenerator<RemoteFile>;
}

export async function remoteFiles(ctx: CommandContext, client?: Resources): Promise<RemoteFiles> {
  const own = client ?? (await ctx.client());
  const { api, events } = await ctx.connection();
  const { fileUrl } = await import("../../lib/files/file-url.ts");
  const { info } = await own.profiles.info("current");
  expectTexts([info], ["id"], "with the profile");
  const address = (path: string): string => fileUrl({ api, sse: events }, info.id, path);

  async function* pages(folder: string, pageRows = MAX_FILE_LIST_QTY): AsyncGenerator<RemotePage> {
    let token: string | undefined;
    do {
      const query = { path: `/${folder}`, quantity: pageRows };
      const page = await own.files.list(token === undefined ? query : { ...query, paginationToken: token });
      expectLists(page, ["files", "folders"], "with the files");
      expectTexts(page.files, ["filename"], "with the files");
      token = page.pagination_token;
      // The platform also returns files whose names merely start with the folder's.
      const files = page.files.filter(({ filename }) => filename.startsWith(folder));
      const names = page.folders.map(trimSlashes).filter((name) => name !== "");
      yield { files, folders: names.map((name) => `${folder}${name}/`).filter(isBounded) };
    } while (token !== undefined && token !== "");
  }

  async function* below(folder: string): AsyncGenerator<RemoteFile> {
    const folders: string[] = [folder];
    for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
      for await (const page of pages(next)) {
        yield* page.files;
        folders.push(...page.folders.toReversed());
      }
    }
  }

  return {
    client: own,
    place: `${api} ${info.id}`,
    address,
    signedAddress: (path) => own.files.getFileURLSigned(address(path)),
    md5: (path) => own.files.getFileMD5(address(path)),
    async isPublic(path) {
      try {
        return (await own.files.checkPermission(path)).public;
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    pages,
    below,
  };
}

/** Longer paths do not exist; a server that lists them would list them without end. */
const isBounded = (path: string): boolean => Buffer.byteLength(path) <= FILE_PATH_MAX_CHARS;

const trimSlashes = (text: string): string => text.replace(/^\/+|\/+$/g, "");

/** The platform's way to say that there is no such file. */
function isMissing(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || /can't be found|not found/i.test(error.message));
}

/** Whether a folder holds anything. */
export async function folderExists(remote: RemoteFiles, folder: string): Promise<boolean> {
  for await (const { files, folders } of remote.pages(folder, 1)) return files.length + folders.length > 0;
  return false;
}

/** The failure of a path that names nothing. */
export async function noSuchFile(ctx: CommandContext, path: string): Promise<Error> {
  const label = await ctx.label();
  return notFoundError(`File ${quote(path)} not found in ${label}.`, {
    code: "remote_file.not_found",
    why: "No file has exactly this path.",
    next: `Run "iot file list${path.includes("/") ? ` ${path.slice(0, path.lastIndexOf("/") + 1)}` : ""}" to list the files.`,
  });
}
