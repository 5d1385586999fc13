import { statSync } from "node:fs";

const LOOK_MS = 250;

/** Looks at files, and calls back once for every change. Asking for their times works on every disk, remote ones too. */
export function watchFiles(paths: () => readonly string[], changed: (path: string) => void): { close(): void } {
  let seen = new Map<string, string>();
  const look = (isFirst: boolean): void => {
    const now = new Map(paths().map((path) => [path, markOf(path)]));
    const different = isFirst ? undefined : [...now].find(([path, mark]) => seen.has(path) && seen.get(path) !== mark);
    seen = now;
    if (different !== undefined) changed(different[0]);
  };
  look(true);
  const timer = setInterval(() => look(false), LOOK_MS);
  return { close: () => clearInterval(timer) };
}

function markOf(path: string): string {
  try {
    const { mtimeMs, size } = statSync(path);
    return `${mtimeMs} ${size}`;
  } catch {
    return "gone";
  }
}
