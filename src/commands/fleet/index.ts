import type { Command } from "../kit/command/define.ts";
import { fleet } from "./fleet.ts";

export const commands: readonly Command[] = [fleet];
