const NAME = "iot-sandbox-key";
const OPEN_PATH = "/__sandbox/open";

/**
 * Headers that let this page in. Browsers store the key for one scheme, host and port, and send it nowhere by themselves, as
 * they do with cookies. It is worth nothing once the sandbox ends: it has the name of the run in it.
 */
export function keyHeaders(): Readonly<Record<string, string>> {
  const key = stored();
  return key === null ? {} : { authorization: `Bearer ${key}` };
}

function stored(): string | null {
  try {
    return localStorage.getItem(NAME);
  } catch {
    // A browser that stores nothing.
    return null;
  }
}

/** What keys of later runs are made from. Not in the browser's storage, where a server that takes over the port could read it. */
let renewal: string | undefined;

export function holdRenewal(secret: string): void {
  renewal = secret;
}

const base64url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/**
 * Makes the key of the sandbox that runs now, after a restart with the same data folder.
 *
 * @returns false where that is the one it rejected
 */
export async function renew(rejected: Readonly<Record<string, string>>): Promise<boolean> {
  // Browsers sign in secure contexts only, such as addresses of this machine.
  if (renewal === undefined || globalThis.crypto.subtle === undefined) return false;
  const response = await fetch("/__sandbox/run");
  const { result } = await response.json();
  const bytes = (text: string) => new TextEncoder().encode(text);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const secret = await crypto.subtle.importKey("raw", bytes(renewal), algorithm, false, ["sign"]);
  const text = `${location.origin}\n${String(result?.run)}`;
  const key = base64url(await crypto.subtle.sign("HMAC", secret, bytes(text)));
  localStorage.setItem(NAME, key);
  return keyHeaders()["authorization"] !== rejected["authorization"];
}

/**
 * Exchanges the code of the address for a key, and goes to the console's own address, or to the view named behind the code.
 *
 * @returns false where the address has no code
 */
export async function enter(): Promise<boolean> {
  if (location.pathname !== OPEN_PATH) return false;
  const [code = "", view] = location.hash.slice(1).split("&");
  const headers = { authorization: `Bearer ${code}` };
  // The code works once, but nobody should see it in the history.
  history.replaceState(null, "", OPEN_PATH);
  const response = await fetch("/__sandbox/enter", { method: "POST", headers });
  const { result } = await response.json();
  if (response.ok) localStorage.setItem(NAME, String(result?.key));
  location.replace(view === undefined ? "/" : `/#/${view}`);
  return true;
}
