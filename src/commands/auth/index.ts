import type { Command } from "../kit/command/define.ts";
import { login } from "./login.ts";
import { logout } from "./logout.ts";
import { status } from "./status.ts";
import { token } from "./token.ts";
import { whoami } from "./whoami.ts";

export const commands: readonly Command[] = [login, logout, status, token, whoami];
