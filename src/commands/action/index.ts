import type { Command } from "../kit/command/define.ts";
import { commands as actionCommands } from "./action.ts";
import { disable } from "./disable.ts";
import { enable } from "./enable.ts";
import { triggerAction } from "./trigger.ts";

export const commands: readonly Command[] = [...actionCommands, triggerAction, disable, enable];
