import { useId, useMemo, useRef } from "react";
import { countOf } from "../../text/count.ts";
import { shown } from "../text.ts";
import type { Mistake } from "./check.ts";

interface JsonFieldProps {
  readonly value: string;
  readonly mistakes: readonly Mistake[];
  readonly onChange: (value: string) => void;
}

/** A text with its line numbers, and what is wrong in which line. */
export function JsonField({ value, mistakes, onChange }: JsonFieldProps) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const lines = useMemo(() => value.split("\n"), [value]);
  const wrong = new Set(mistakes.map(({ line }) => line));
  const goTo = (line: number): void => {
    const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
    area.current?.focus();
    area.current?.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  };
  return (
    <div className="field wide">
      <label htmlFor={id}>Definition, as JSON</label>
      <div className="json-field">
        <pre aria-hidden="true">{lines.map((_, i) => `${wrong.has(i + 1) ? "▸ " : ""}${i + 1}`).join("\n")}</pre>
        <textarea
          ref={area}
          id={id}
          rows={lines.length}
          wrap="off"
          spellCheck={false}
          value={value}
          aria-invalid={mistakes.length > 0}
          aria-describedby={`${id}-wrong`}
          onChange={({ target }) => onChange(target.value)}
        />
      </div>
      <div id={`${id}-wrong`} role="status" className="mistakes">
        {mistakes.length > 0 && <strong className="bad">{countOf(mistakes.length, "problem")}</strong>}
        <ul>
          {mistakes.map(({ line, text }) => (
            <li key={`${line} ${text}`}>
              <button type="button" className="link" onClick={() => goTo(line)}>
                Line {line}
              </button>
              : {shown(text, 300)}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
