import { type ReactNode, useId, useState } from "react";
import { isRecord } from "../../lib/widgets/draw/page.ts";
import type { Doing, Loadable } from "../hooks.ts";
import { moment, recordsOf, shown } from "../text.ts";

export type Tone = "good" | "warn" | "bad" | "plain";

/** A state in a word, with a mark beside its color. */
export function State({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return <span className={`state ${tone}`}>{children}</span>;
}

/** Whether something of the platform is switched on. Lists may leave it out where it is. */
export function Active({ active }: { readonly active: boolean | undefined }) {
  return active === false ? <State tone="warn">Inactive</State> : <State tone="good">Active</State>;
}

/** A label and its field. */
export function Field({
  label,
  children,
  wide,
}: {
  readonly label: string;
  readonly children: (id: string) => ReactNode;
  readonly wide?: boolean;
}) {
  const id = useId();
  return (
    <div className={wide ? "field wide" : "field"}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  );
}

interface InputProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: string;
  readonly required?: boolean;
  readonly placeholder?: string;
  readonly wide?: boolean;
}

export function Input({ label, value, onChange, wide = false, ...rest }: InputProps) {
  return (
    <Field label={label} wide={wide}>
      {(id) => <input id={id} value={value} onChange={({ target }) => onChange(target.value)} {...rest} />}
    </Field>
  );
}

export function Area({ label, value, onChange }: Pick<InputProps, "label" | "value" | "onChange">) {
  return (
    <Field label={label} wide>
      {(id) => <textarea id={id} rows={3} value={value} onChange={({ target }) => onChange(target.value)} />}
    </Field>
  );
}

export function Select({
  label,
  value,
  onChange,
  options,
}: Pick<InputProps, "label" | "value" | "onChange"> & {
  readonly options: readonly (string | readonly [value: string, text: string])[];
}) {
  return (
    <Field label={label}>
      {(id) => (
        <select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
          {options.map((option) => {
            const [own, text] = typeof option === "string" ? [option, option] : option;
            return (
              <option key={own} value={own}>
                {shown(text, 80)}
              </option>
            );
          })}
        </select>
      )}
    </Field>
  );
}

/** What came of the last thing that was done, said to screen readers too. */
export function Outcome({ doing: { error, done, isBusy } }: { readonly doing: Doing }) {
  return (
    <p className="outcome" role="status">
      {isBusy && <State tone="plain">Working</State>}
      {error !== undefined && <State tone="bad">{error}</State>}
      {done !== undefined && <State tone="good">{done}</State>}
    </p>
  );
}

function Retry({ of: { isLoading, reload } }: { readonly of: Loadable<unknown> }) {
  return (
    <button type="button" disabled={isLoading} onClick={reload}>
      {isLoading ? "Trying" : "Try again"}
    </button>
  );
}

/** Says since when what is shown may be out of date, and why. The header says it to screen readers, once. */
export function Stale({ of }: { readonly of: Loadable<unknown> }) {
  if (of.staleSinceMs === undefined) return null;
  const time = moment(new Date(of.staleSinceMs)).slice(11, 19);
  return (
    <p className="stale">
      <State tone="warn">
        Stale since {time} · {of.error ?? "waiting for a response"}
      </State>
      {of.error !== undefined && <Retry of={of} />}
    </p>
  );
}

/** What was loaded, or why it was not. What was loaded before a failure stays. */
export function Content<T>({ of, children }: { readonly of: Loadable<T>; readonly children: (data: T) => ReactNode }) {
  const { data, error, isLoading } = of;
  if (data !== undefined)
    return (
      <>
        <Stale of={of} />
        {children(data)}
      </>
    );
  if (error === undefined) return <p className="none">{isLoading ? "Loading" : "Nothing was loaded."}</p>;
  return (
    <div className="failure" role="alert">
      <p>{error}</p>
      <Retry of={of} />
    </div>
  );
}

/** Puts a text on the clipboard. */
export function Copy({ text, label }: { readonly text: string; readonly label: string }) {
  const [said, setSaid] = useState<string>();
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setSaid("Copied"),
      () => setSaid("The browser did not allow it"),
    );
  };
  return (
    <span className="copy">
      <button type="button" onClick={copy}>
        {label}
      </button>
      <span role="status">{said}</span>
    </span>
  );
}

export function Json({ value }: { readonly value: unknown }) {
  return <pre className="json">{shown(JSON.stringify(value, null, 2), 20_000)}</pre>;
}

export function Tags({ of }: { readonly of: unknown }) {
  return recordsOf(of).map(({ key, value }) => (
    <span key={`${shown(key)}\n${shown(value)}`} className="tag">
      {shown(key, 60)}: {shown(value, 60)}
    </span>
  ));
}

export function Facts({ of }: { readonly of: Readonly<Record<string, ReactNode>> }) {
  return (
    <dl className="facts">
      {Object.entries(of).map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Title, what the view is for, and what can be done with all of it. */
export function Heading({
  title,
  about,
  children,
}: {
  readonly title: string;
  readonly about?: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <header className="heading">
      <h1 tabIndex={-1}>{title}</h1>
      {about !== undefined && <p className="about">{about}</p>}
      {children}
    </header>
  );
}

/** A name of the platform, which may be anything. */
export const nameOf = (value: unknown, fallback: string): string =>
  shown(isRecord(value) ? (value["name"] ?? value["label"]) : value, 200) || fallback;
