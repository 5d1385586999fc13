import type { Command } from "../kit/command/define.ts";
import { commands as paymentCommands } from "./payments.ts";
import { commands as stateCommands } from "./state.ts";
import { commands as subscriptionCommands } from "./subscription.ts";

export const commands: readonly Command[] = [...subscriptionCommands, ...stateCommands, ...paymentCommands];
