import type { Command } from "./kit/define.ts";
import { renderPdf } from "./pdf/render.ts";

export const commands: readonly Command[] = [renderPdf];
