const NAME = "iot-sandbox-key";
const OPEN_PATH = "/__sandbox/open";

/**
 * Headers that let this page in. Browsers store the key for one scheme, host and port, and send it nowhere by themselves, as
 * they do with cookies. It is worth nothing once the sandbox ends.
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

/**
 * Exchanges the code of the address for a key, and goes to the console's own address.
 *
 * @returns false where the address has no code
 */
export async function enter(): Promise<boolean> {
  if (location.pathname !== OPEN_PATH) return false;
  const headers = { authorization: `Bearer ${location.hash.slice(1)}` };
  // The code works once, but nobody should see it in the history.
  history.replaceState(null, "", OPEN_PATH);
  const response = await fetch("/__sandbox/enter", { method: "POST", headers });
  const { result } = await response.json();
  if (response.ok) localStorage.setItem(NAME, String(result?.key));
  location.replace("/");
  return true;
}
