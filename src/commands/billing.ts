import { commands as paymentCommands } from "./billing/payments.ts";
import { commands as stateCommands } from "./billing/state.ts";
import { commands as subscriptionCommands } from "./billing/subscription.ts";
import type { Command } from "./kit/define.ts";

export const commands: readonly Command[] = [...subscriptionCommands, ...stateCommands, ...paymentCommands];
