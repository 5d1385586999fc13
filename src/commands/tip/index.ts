import type { Command } from "../kit/command/define.ts";
import { command } from "./command.ts";
import { decode } from "./decode.ts";
import { hash } from "./hash.ts";
import { listen } from "./listen.ts";
import { ping } from "./ping.ts";
import { pull } from "./pull.ts";
import { send } from "./send.ts";

export const commands: readonly Command[] = [send, pull, ping, listen, command, decode, hash];
