import type { Command } from "../kit/command/define.ts";
import { doctor } from "./doctor.ts";

export const commands: readonly Command[] = [doctor];
