import type { Command } from "../kit/command/define.ts";
import { devices } from "./devices.ts";
import { commands as networkCommands } from "./network.ts";
import { param } from "./param.ts";
import { publish } from "./publish.ts";
import { resolve } from "./resolve.ts";
import { commands as tokenCommands } from "./token.ts";

export const commands: readonly Command[] = [...networkCommands, ...tokenCommands, resolve, devices, param, publish];
