import type { Command } from "../kit/command/define.ts";
import { init } from "./init.ts";

export const commands: readonly Command[] = [init];
