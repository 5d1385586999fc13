import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { CERTIFICATE_FILE } from "../store/open.ts";
import { DataDirectoryError } from "../store/storage-errors.ts";
import { selfSignedCertificate } from "./certificate.ts";

/** Node, OpenSSL and Go, Python's requests, curl, Deno. */
const VARIABLES = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "DENO_CERT"];

/** The certificate of a sandbox that serves HTTPS. */
export interface SandboxCertificate {
  /** For the option `ca` of a client. */
  readonly pem: string;
  /** Path of a file that contains it, before the authorities that Node knows. */
  readonly file: string;
  /**
   * Environment variables that make programs trust the file: those of Node, OpenSSL, Go, Python's requests, curl, Deno.
   */
  readonly variables: Readonly<Record<string, string>>;
}

/** Key and certificate of a sandbox that serves HTTPS. The key is never stored. */
export interface Tls {
  readonly cert: string;
  readonly key: string;
  readonly trust: SandboxCertificate;
  close(): void;
}

/** Names of the certificate besides those of this machine. */
function hostsOf(host: string): string[] {
  if (host !== "0.0.0.0" && host !== "::") return host.includes(":") ? [] : [host];
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.filter(({ family }) => family === "IPv4").map(({ address }) => address);
}

/** The authorities that programs trusted so far: some trust only those in the file. */
function usualAuthorities(file: string): string[] {
  const own = process.env["NODE_EXTRA_CA_CERTS"];
  const extra = own !== undefined && own !== file && existsSync(own) ? [readFileSync(own, "utf8")] : [];
  return [...extra, ...rootCertificates];
}

/** Creates a certificate and writes it to a file for programs to trust, in the data directory or a temporary one. */
export function createTls(host: string, dataDir: string | undefined): Tls {
  const { cert, key } = selfSignedCertificate(hostsOf(host));
  const folder = dataDir ?? mkdtempSync(join(tmpdir(), "iot-tls-"));
  const file = join(folder, CERTIFICATE_FILE);
  try {
    writeFileSync(file, [cert, ...usualAuthorities(file)].join("\n"), { mode: 0o600 });
  } catch (error) {
    throw new DataDirectoryError(`The certificate ${file} cannot be written. Choose another data directory.`, {
      cause: error,
    });
  }
  const close = (): void => {
    if (dataDir === undefined) rmSync(folder, { recursive: true, force: true });
  };
  const variables = Object.fromEntries(VARIABLES.map((name) => [name, file]));
  return { cert, key, trust: { pem: cert, file, variables }, close };
}
