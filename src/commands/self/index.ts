import type { Command } from "../kit/command/define.ts";
import { dataCommands } from "./data.ts";
import { selfInfo } from "./info.ts";
import { paramCommands } from "./param.ts";

export const commands: readonly Command[] = [selfInfo, ...dataCommands, ...paramCommands];
