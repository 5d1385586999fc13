import type { Command } from "../kit/command/define.ts";
import { commands as allocationCommands } from "./allocation.ts";
import { coupon } from "./coupon.ts";
import { history } from "./history.ts";
import { commands as paymentMethodCommands } from "./payment-method.ts";
import { commands as pendingCommands } from "./pending.ts";
import { pricing } from "./pricing.ts";
import { commands as scheduleCommands } from "./schedule.ts";
import { commands as subscriptionCommands } from "./subscription.ts";
import { summary } from "./summary.ts";

export const commands: readonly Command[] = [
  ...subscriptionCommands,
  ...scheduleCommands,
  summary,
  coupon,
  pricing,
  ...pendingCommands,
  ...allocationCommands,
  history,
  ...paymentMethodCommands,
];
