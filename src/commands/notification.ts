import type { Command } from "./kit/define.ts";

export const commands: readonly Command[] = [];
