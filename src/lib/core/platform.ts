/** Facts about the runtime, read without importing Node modules. */

interface NodeProcess {
  readonly env: Record<string, string | undefined>;
  readonly version?: string;
  readonly platform?: string;
  readonly arch?: string;
  readonly versions?: { readonly node?: string; readonly bun?: string };
  emitWarning?(message: string): void;
}

const nodeProcess = (globalThis as { process?: NodeProcess }).process;

/** True on Node itself; Deno and Bun bring their own fetch and are treated as web platforms. */
export const isNode: boolean =
  nodeProcess?.versions?.node !== undefined &&
  nodeProcess.versions.bun === undefined &&
  !("Deno" in globalThis) &&
  typeof (globalThis as { document?: unknown }).document === "undefined";

/** An environment variable; an empty one counts as unset. Always `undefined` in browsers. */
export function environment(name: string): string | undefined {
  const value = nodeProcess?.env?.[name];
  return value === "" ? undefined : value;
}

/** Warns the developer of a mistake that must not end the program. */
export function warn(message: string): void {
  if (nodeProcess?.emitWarning === undefined) console.warn(message);
  else nodeProcess.emitWarning(message);
}

/** Describes the runtime for the User-Agent header. */
export function runtimeNote(): string {
  if (environment("T_ANALYSIS_CONTEXT") === "tago-io") return "Running at TagoIO";
  return `External; Node.js/${nodeProcess?.version ?? "unknown"} ${nodeProcess?.platform ?? ""}/${nodeProcess?.arch ?? ""}`;
}
