import type { Command } from "../kit/command/define.ts";
import { renderPdf } from "./render.ts";

export const commands: readonly Command[] = [renderPdf];
