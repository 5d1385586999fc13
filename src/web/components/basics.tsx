import { createContext, type FormEvent, type ReactNode, useContext, useId, useState } from "react";
import { isRecord } from "../../lib/widgets/draw/page.ts";
import type { Doing, Loadable } from "../hooks.ts";
import { type FieldTexts, moment, recordsOf, shown } from "../text.ts";

export type Tone = "good" | "warn" | "bad" | "plain";

/** A state in a word, with a mark beside its color. */
export function State({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return <span className={`state ${tone}`}>{children}</span>;
}

/** Whether something of the platform is switched on. Lists may leave it out where it is. */
export function Active({ active }: { readonly active: boolean | undefined }) {
  return active === false ? <State tone="warn">Inactive</State> : <State tone="good">Active</State>;
}

/** What is wrong with the fields of the form around them. */
export const Wrong = createContext<FieldTexts>({});

interface FormProps {
  readonly doing: Doing;
  readonly onSubmit: () => void;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A form that shows what was wrong with what it sent at the fields. */
export function Form({ doing, onSubmit, className = "row", children }: FormProps) {
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form className={className} onSubmit={submit}>
      <Wrong value={doing.fields}>{children}</Wrong>
    </form>
  );
}

interface FieldProps {
  readonly label: string;
  /** As errors call it: the field itself, or what it is part of. */
  readonly name?: string | undefined;
  readonly wide?: boolean;
  readonly children: (attributes: object) => ReactNode;
}

/** A label, its field, and what is wrong with it. */
export function Field({ label, name, wide = false, children }: FieldProps) {
  const id = useId();
  const wrong = Object.entries(useContext(Wrong));
  // `0.value` is the value of the only record, or about the first one.
  const isOwn = (key: string): boolean => [key, key.replace(/^\d+\./, ""), key.split(".")[0]].includes(name);
  const texts = name === undefined ? [] : wrong.flatMap(([key, text]) => (isOwn(key) ? [text] : []));
  const isWrong = texts.length > 0;
  return (
    <div className={wide ? "field wide" : "field"}>
      <label htmlFor={id}>{label}</label>
      {children({ id, ...(isWrong && { "aria-invalid": true, "aria-describedby": `${id}-wrong` }) })}
      {isWrong && (
        <small id={`${id}-wrong`} className="bad">
          {texts.join(". ")}
        </small>
      )}
    </div>
  );
}

interface InputProps {
  readonly label: string;
  readonly name?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: string;
  readonly required?: boolean;
  readonly placeholder?: string;
  readonly wide?: boolean;
}

export function Input({ label, name, value, onChange, wide = false, ...rest }: InputProps) {
  return (
    <Field label={label} name={name} wide={wide}>
      {(attributes) => (
        <input {...attributes} value={value} onChange={({ target }) => onChange(target.value)} {...rest} />
      )}
    </Field>
  );
}

type SimpleProps = Pick<InputProps, "label" | "name" | "value" | "onChange">;

export function Area({ label, name, value, onChange }: SimpleProps) {
  return (
    <Field label={label} name={name} wide>
      {(attributes) => (
        <textarea {...attributes} rows={3} value={value} onChange={({ target }) => onChange(target.value)} />
      )}
    </Field>
  );
}

export function Select({
  label,
  name,
  value,
  onChange,
  options,
}: SimpleProps & {
  readonly options: readonly (string | readonly [value: string, text: string])[];
}) {
  return (
    <Field label={label} name={name}>
      {(attributes) => (
        <select {...attributes} value={value} onChange={({ target }) => onChange(target.value)}>
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
export function Content<T>({
  of,
  children,
}: {
  readonly of: Loadable<T | undefined>;
  readonly children: (data: T) => ReactNode;
}) {
  const { data, error } = of;
  if (data !== undefined)
    return (
      <>
        <Stale of={of} />
        {children(data)}
      </>
    );
  if (error === undefined) return <p className="none">Loading</p>;
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

/** A tag as it is shown and searched. */
const tagText = ({ key, value }: Readonly<Record<string, unknown>>): string => `${shown(key, 60)}: ${shown(value, 60)}`;
export const tagTexts = (tags: unknown): string[] => recordsOf(tags).map(tagText);

/** Tags, which in a list are a choice of the rows that have them. */
export function Tags({ of, onChoose }: { readonly of: unknown; readonly onChoose?: (tag: string) => void }) {
  return [...new Set(tagTexts(of))].map((text) =>
    onChoose === undefined ? (
      <span key={text} className="tag">
        {text}
      </span>
    ) : (
      <button key={text} type="button" className="tag" title="Show what has this tag" onClick={() => onChoose(text)}>
        {text}
      </button>
    ),
  );
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

/** The heading of a view of one thing, which has no name until it is loaded. */
export const titleFor = <T,>(
  kind: string,
  { data, error, isMissing }: Loadable<T>,
  nameIn: (data: NonNullable<T>) => string,
): string => {
  if (data !== undefined && data !== null) return nameIn(data);
  return isMissing ? `${kind} not found` : error === undefined ? kind : `${kind} not loaded`;
};

/** A name of the platform, which may be anything. */
export const nameOf = (value: unknown, fallback: string): string =>
  shown(isRecord(value) ? (value["name"] ?? value["label"]) : value, 200) || fallback;
