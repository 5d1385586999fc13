import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./ci-project.ts";
import { temporaryFolder } from "./cli.ts";
import { type SmallServer, smallServer } from "./small-server.ts";

type Manifest = Readonly<Record<string, unknown>> & { readonly name: string; readonly version: string };

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;

/** Packs the package of a folder, and returns the path of the tarball. */
export function packFolder(folder: string, into: string): string {
  const pack = ["pack", "--json", "--ignore-scripts", "--offline", "--pack-destination", into];
  const [packed] = JSON.parse(execFileSync("npm", pack, { cwd: folder, encoding: "utf8" })) as [{ filename: string }];
  return join(into, packed.filename);
}

/** A package registry with this package and those in its `node_modules`, each packed when it is first downloaded. */
export async function localRegistry(): Promise<SmallServer> {
  const into = temporaryFolder();
  const tarballs = new Map<string, Buffer>();
  const folderOf = (name: string): string => (name === "iotdeck" ? root : join(root, "node_modules", name));
  const server = await smallServer(({ url }, response) => {
    const [path = "", file] = decodeURIComponent(url).slice(1).split("/-/");
    const folder = folderOf(path);
    if (!existsSync(join(folder, "package.json"))) {
      response.writeHead(404).end("{}");
    } else if (file === undefined) {
      const manifest = manifestOf(folder);
      const { version } = manifest;
      const dist = { tarball: `${server.url}/${path}/-/${version}.tgz` };
      response.writeHead(200, { "content-type": "application/json" });
      response.end(
        JSON.stringify({
          name: path,
          "dist-tags": { latest: version },
          versions: { [version]: { ...manifest, dist } },
        }),
      );
    } else {
      const tarball = tarballs.get(path) ?? readFileSync(packFolder(folder, into));
      tarballs.set(path, tarball);
      response.end(tarball);
    }
  });
  return server;
}

/** Variables with which npm installs from a registry alone: what the machine has in its cache is not used. */
export const npmFrom = ({ url }: SmallServer): Readonly<Record<string, string>> => ({
  npm_config_registry: url,
  npm_config_cache: temporaryFolder(),
  npm_config_update_notifier: "false",
});
