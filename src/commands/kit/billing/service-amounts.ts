import { keyValue, quote } from "../command/values.ts";
import { usageError } from "../failures/command-error.ts";
import { unknownWord } from "../failures/unknown-word.ts";
import { serviceNames } from "./service-names.ts";

/** `service=amount` pairs, checked. */
export function serviceAmounts(texts: readonly string[], flag: string): Map<string, number> {
  const amounts = new Map<string, number>();
  for (const text of texts) {
    const { key, value } = keyValue(text, flag);
    if (!serviceNames.includes(key)) throw unknownWord("service", key, serviceNames);
    const amount = Number(value);
    if (value.trim() === "" || !Number.isFinite(amount) || amount < 0) {
      throw usageError(`${flag} ${key} needs an amount, not ${quote(value)}.`, { next: `Write ${flag} ${key}=100.` });
    }
    amounts.set(key, amount);
  }
  if (amounts.size > 0) return amounts;
  throw usageError("No changes given.", { next: `Give a service and its amount: ${flag} sms=100.` });
}
