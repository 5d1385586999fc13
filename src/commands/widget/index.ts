import type { Command } from "../kit/command/define.ts";
import { convertWidgets } from "./convert.ts";
import { widgetDataCommand } from "./data.ts";
import { detectWidgets } from "./detect.ts";
import { devWidget } from "./dev.ts";
import { explainWidgets } from "./explain.ts";
import { previewWidgets } from "./preview.ts";
import { runButtonCommand } from "./run-button.ts";
import { widgetSchema } from "./schema.ts";
import { widgetTokenCommand } from "./token.ts";
import { widgetTypes } from "./types.ts";
import { validateWidgets } from "./validate.ts";
import { widgetCrud } from "./widget.ts";

export const commands: readonly Command[] = [
  ...widgetCrud,
  widgetDataCommand,
  widgetTokenCommand,
  runButtonCommand,
  devWidget,
  convertWidgets,
  detectWidgets,
  explainWidgets,
  widgetTypes,
  validateWidgets,
  widgetSchema,
  previewWidgets,
];
