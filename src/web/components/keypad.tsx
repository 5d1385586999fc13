import { useEffect, useEffectEvent, useState } from "react";
import { type Key, keysOf } from "../../lib/widgets/draw/page.ts";
import { shown } from "../text.ts";
import type { WidgetParts } from "./widget-parts.ts";

/** Digits are sent when no key was pressed for this long, as on the platform. */
const WAIT_MS = 3_000;

/** A keypad: what is typed is written as `DIGITS,ACTION` when one of its buttons is pressed, or as digits after a while. */
export function Keypad({ widget, display, target, doing, write }: WidgetParts) {
  const [digits, setDigits] = useState("");
  const send = (action?: string): void => {
    setDigits("");
    write({ ...target, value: action === undefined ? digits : `${digits},${action}` });
  };
  const onDue = useEffectEvent(send);
  useEffect(() => {
    if (digits === "") return;
    const timer = setTimeout(() => onDue(), WAIT_MS);
    return () => clearTimeout(timer);
  }, [digits]);
  const press = ({ text, action }: Key): void => {
    if (action === undefined) setDigits(digits + text);
    else send(action);
  };
  const keys = keysOf(display);
  return (
    <>
      <output className="entry" aria-label={`Digits of ${shown(widget.label, 100)}`}>
        {"•".repeat(digits.length) || "–"}
      </output>
      <div className="keypad">
        {keys.map((key) => (
          <button
            key={key.text}
            type="button"
            style={{ gridArea: `${key.row + 1} / ${key.column + 1}` }}
            disabled={doing.isBusy || key.isDisabled === true}
            onClick={() => press(key)}
          >
            {shown(key.text, 30)}
          </button>
        ))}
      </div>
      <div className="row">
        <button type="button" disabled={digits === "" || doing.isBusy} onClick={() => send()}>
          Send the digits
        </button>
        <button type="button" disabled={digits === ""} onClick={() => setDigits("")}>
          Clear
        </button>
      </div>
    </>
  );
}
