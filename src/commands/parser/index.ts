import type { Command } from "../kit/command/define.ts";
import { getParser } from "./get.ts";
import { runParser } from "./run.ts";
import { setParser } from "./set.ts";
import { testParser } from "./test.ts";

export const commands: readonly Command[] = [runParser, testParser, getParser, setParser];
