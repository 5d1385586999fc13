import type { Command } from "../kit/command/define.ts";
import { completion } from "./completion.ts";
import { install } from "./install.ts";

export const commands: readonly Command[] = [completion, install];
