import { switchCommand } from "./switch-command.ts";

export const disable = switchCommand("disable");
