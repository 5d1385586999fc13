import { switchCommand } from "./switch-command.ts";

export const enable = switchCommand("enable");
