import type { Command } from "../kit/command/define.ts";
import { stream } from "./stream.ts";

export const commands: readonly Command[] = [stream];
