import { icebergManifests, icebergMetadata, icebergRead } from "icebird";
import { vi } from "vitest";

/** A table as a reader that is not ours sees it. */
export interface IcebergTable {
  readonly metadata: Record<string, unknown> & {
    readonly snapshots: readonly { readonly summary: Record<string, string>; readonly "snapshot-id": number }[];
    readonly "current-snapshot-id": number;
  };
  readonly rows: readonly Record<string, unknown>[];
  /** Paths of the data files below the table. */
  readonly files: readonly string[];
  /** What the table says of each. */
  readonly entries: readonly object[];
}

/**
 * Reads a table with icebird, which fetches its files.
 *
 * @param read content of a file by its path below the table
 * @param hasRows false for a table whose files were not written by the program
 */
export async function readIceberg(
  location: string,
  read: (name: string) => Buffer | undefined,
  hasRows = true,
): Promise<IcebergTable> {
  const [, bucket, prefix] = /^s3:\/\/([^/]+)\/(.*)$/.exec(location) ?? [];
  const base = bucket === undefined ? location : `https://${bucket}.s3.amazonaws.com/${prefix}`;
  vi.stubGlobal("fetch", async (url: unknown, init?: RequestInit) => {
    const address = String(url);
    const found = address.startsWith(`${base}/`) ? read(address.slice(base.length + 1)) : undefined;
    if (found === undefined) return new Response("", { status: 404, statusText: `no ${address}` });
    const [, start, end] = /bytes=(\d+)-(\d+)/.exec(new Headers(init?.headers).get("range") ?? "") ?? [];
    if (start === undefined) return new Response(new Uint8Array(found));
    return new Response(new Uint8Array(found.subarray(Number(start), Number(end) + 1)), { status: 206 });
  });
  try {
    const metadata = await icebergMetadata({ tableUrl: location });
    const manifests = await icebergManifests(metadata);
    const entries = manifests
      .flatMap((manifest) => manifest.entries)
      .filter(({ status }) => status !== 2)
      .map(({ data_file: file }) => file);
    const files = entries.map((file) => file.file_path.slice(location.length + 1));
    const rows = files.length === 0 || !hasRows ? [] : await icebergRead({ tableUrl: location, metadata });
    return { metadata: metadata as unknown as IcebergTable["metadata"], rows, files, entries };
  } finally {
    vi.unstubAllGlobals();
  }
}
