import { useSyncExternalStore } from "react";
import { clockMs } from "../api.ts";
import { useConsole } from "../hooks.ts";
import { agoText, moment, zone } from "../text.ts";

const TICK_MS = 30_000;

const tick = (changed: () => void): (() => void) => {
  const timer = setInterval(changed, TICK_MS);
  return () => clearInterval(timer);
};

/** The time of the sandbox's clock, new every half minute. */
export function useNowMs(): number {
  const { session } = useConsole();
  useSyncExternalStore(tick, () => Math.floor(Date.now() / TICK_MS));
  return clockMs(session.clock);
}

/** How long ago something was; the exact time under the pointer. */
export function Ago({ at }: { readonly at: unknown }) {
  const nowMs = useNowMs();
  const text = moment(at);
  const date = new Date(String(at));
  if (text === "never" || Number.isNaN(date.getTime())) return text;
  return (
    <time dateTime={date.toISOString()} title={`${text} ${zone}`}>
      {agoText(date.getTime(), nowMs)}
    </time>
  );
}
