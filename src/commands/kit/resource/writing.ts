/** Posts that only read, or only sign in: they leave the environment as it is. */
const readingPosts: readonly RegExp[] = [
  /^\/account\/login(\/otp)?$/,
  /^\/account\/profile\/token$/,
  /^\/run\/[^/]+\/login(\/otp)?$/,
  /^\/sql\/[^/]+\/execute$/,
  /^\/profile\/[^/]+\/backup\/[^/]+\/download$/,
  /^\/pdf$/,
];

/** Signing out: a token deletes itself. */
const signingOut = /^\/profile\/current\/token\/[^/]+$/;

/** The platform changes something with these, although they are a GET. */
const writingGets: readonly RegExp[] = [
  /^\/account\/(passwordreset|resend_confirmation|confirm)\/[^/]+$/,
  /^\/profile\/team\/(accept|decline)\/[^/]+$/,
  /^\/analysis\/[^/]+\/token$/,
  /^\/tcore\/instance\/[^/]+\/token$/,
  /^\/dashboard\/[^/]+\/widget\/[^/]+\/token$/,
  /^\/run\/[^/]+\/(confirm|passwordreset)\/[^/]+$/,
];

/**
 * Whether a request changes something. What is not known to read counts as a change.
 *
 * @param path below the API's address; parameters may follow
 */
export function isWriting(method: string, path: string): boolean {
  const plain = plainPath(path);
  switch (method) {
    case "GET":
      return writingGets.some((pattern) => pattern.test(plain));
    case "POST":
      return !readingPosts.some((pattern) => pattern.test(plain));
    case "DELETE":
      return !signingOut.test(plain);
    default:
      return true;
  }
}

/** The platform prints on a server of its own. */
const printer = "pdf.middleware.tago.io";

/** As `isWriting`, for the address of a request. Another server than the API is only read with GET. */
export function isWritingTo(api: string, { method, url }: { readonly method: string; readonly url: string }): boolean {
  const { origin, pathname, hostname } = new URL(url);
  const base = new URL(api);
  if (origin !== base.origin) return method !== "GET" && hostname !== printer;
  const prefix = base.pathname.replace(/\/+$/, "");
  return isWriting(method, pathname.startsWith(prefix) ? pathname.slice(prefix.length) : pathname);
}

/** The path as the platform reads it: decoded, with single slashes, without dots and parameters. */
function plainPath(path: string): string {
  const { pathname } = new URL(`http://api/${path.replace(/^\/+/, "")}`);
  return decoded(pathname)
    .replace(/\/{2,}/g, "/")
    .replace(/(?<=.)\/+$/, "");
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
