import type { Command } from "../kit/command/define.ts";
import { createCommand } from "./qr/create.ts";
import { parseCommand } from "./qr/parse.ts";

export const commands: readonly Command[] = [parseCommand, createCommand];
