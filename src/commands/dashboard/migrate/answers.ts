import type { MigrationEngine } from "../../../tui/migration-wizard/engine.ts";
import type { Dialogue } from "../../kit/ask/dialogue.ts";

export const isLeaving = (answer: string): boolean => /^q(uit)?$/i.test(answer);

/** In a protected environment the name has to be typed before anything is written. */
export async function isNamed(
  { nameToType, where, giveName }: MigrationEngine,
  { say, ask }: Dialogue,
): Promise<boolean> {
  if (nameToType === undefined) return true;
  const typed = await ask(`${where} is protected. Type ${nameToType} to continue:`);
  if (typed.trim() !== nameToType) {
    say("The name does not match; nothing changed.");
    return false;
  }
  await giveName(typed);
  return true;
}

/** Places, counted from 0, in `1 3-5`; empty when something else is in it or a number is out of range. */
export function numbersIn(text: string, count: number): number[] {
  const places = new Set<number>();
  for (const part of text.split(/[\s,]+/).filter((each) => each !== "")) {
    const [, from = "", to = from] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(part) ?? [];
    const [first, last] = [Number(from), Number(to)];
    if (from === "" || first < 1 || last > count || first > last) return [];
    for (let i = first; i <= last; i += 1) places.add(i - 1);
  }
  return [...places];
}
