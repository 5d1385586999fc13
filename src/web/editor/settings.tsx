import { type FormEvent, type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import type { DashboardTab, StoredDashboard } from "../../index.ts";
import { nameOf as nameOfType, type ShownVariable } from "../../lib/widgets/starter.ts";
import { Input, Select, State } from "../components/basics.tsx";
import { Question } from "../components/confirm.tsx";
import { checkText, textOf } from "./check.ts";
import { useContent } from "./content.ts";
import type { History } from "./history.ts";
import { JsonField } from "./json-field.tsx";
import type { Definition } from "./model.ts";
import { titleOf } from "./names.ts";
import { Source } from "./pickers.tsx";
import { Picture } from "./picture.tsx";
import { hasSources, sourcesOf, withMore, withoutSource, withSource } from "./sources.ts";

interface SettingsProps {
  readonly dashboard: StoredDashboard;
  readonly history: History;
  readonly id: string;
  /** @param tab another one, if one was chosen */
  readonly onApply: (definition: Definition, tab: string | undefined) => void;
  readonly onClose: () => void;
}

const PREVIEW_PX = 300;

/** The settings of a widget, beside what it looks like with them. */
export function Settings(props: SettingsProps) {
  const definition = props.history.present.widgets[props.id];
  const { onClose } = props;
  const isMissing = definition === undefined;
  useEffect(() => {
    if (isMissing) onClose();
  }, [isMissing, onClose]);
  return definition === undefined ? null : <Open {...props} definition={definition} />;
}

/** The text of a definition with what is wrong in it, and the last one in which nothing was. */
function useText(definition: Definition) {
  const start = useMemo(() => textOf(definition), [definition]);
  const [text, setText] = useState(start);
  const [valid, setValid] = useState(definition);
  const checked = useMemo(() => checkText(text), [text]);
  // What the platform stored as it is may stay as it is.
  const known = useMemo(() => new Set(checkText(start).mistakes.map((mistake) => mistake.text)), [start]);
  const isBad = (found: ReturnType<typeof checkText>): boolean =>
    found.definition === undefined || found.mistakes.some((mistake) => !known.has(mistake.text));
  const change = (next: string): void => {
    setText(next);
    const found = checkText(next);
    if (found.definition !== undefined && !isBad(found)) setValid(found.definition);
  };
  const edit = (make: (from: Definition) => Definition): void => {
    if (checked.definition !== undefined) change(textOf(make(checked.definition)));
  };
  return { text, valid, checked, isBad: isBad(checked), isChanged: text !== start, change, edit };
}

function Open({ dashboard, history, id, onApply, onClose, definition }: SettingsProps & { definition: Definition }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { present, base } = history;
  const ownTab = present.places.find(({ widget_id: widget }) => widget === id)?.tab ?? "";
  const [tab, setTab] = useState(ownTab);
  const form = useText(definition);
  const { valid, checked, isBad, isChanged } = form;
  const [isAsking, setAsking] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);
  const close = (): void => dialog.current?.close();
  const leave = (): void => {
    if (isChanged || tab !== ownTab) setAsking(true);
    else close();
  };
  const apply = (): void => {
    if (isBad || checked.definition === undefined) return;
    close();
    onApply(checked.definition, tab === ownTab ? undefined : tab);
  };
  return (
    <dialog
      ref={dialog}
      className="wide settings"
      aria-label={`Settings of ${titleOf(present, id)}`}
      onClose={onClose}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        leave();
      }}
    >
      <div className="columns">
        <Fields form={form} dashboard={dashboard} onApply={apply} onCancel={leave}>
          <TabChoice tabs={present.tabs} ownTab={ownTab} tab={tab} onChange={setTab} />
        </Fields>
        <Preview dashboard={dashboard.id} id={id} definition={valid} stored={base.widgets[id]} isOld={isBad} />
      </div>
      {isAsking && (
        <Question
          label="Discard"
          question="Discard what you changed in these settings?"
          onYes={close}
          onClose={() => setAsking(false)}
        />
      )}
    </dialog>
  );
}

interface FieldsProps extends Pick<SettingsProps, "dashboard"> {
  readonly form: ReturnType<typeof useText>;
  readonly onApply: () => void;
  readonly onCancel: () => void;
  /** Beside the title. */
  readonly children: ReactNode;
}

function Fields({ form, dashboard, onApply, onCancel, children }: FieldsProps) {
  const { text, valid, checked, isBad, change, edit } = form;
  const now = checked.definition ?? valid;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onApply();
  };
  return (
    <form onSubmit={submit}>
      <div className="row">
        <Input label="Title" value={now.label} onChange={(label) => edit((from) => ({ ...from, label }))} />
        {children}
        <span className="tag">{nameOfType(now.type)}</span>
      </div>
      <Sources dashboard={dashboard} definition={now} disabled={checked.definition === undefined} onEdit={edit} />
      <JsonField value={text} mistakes={checked.mistakes} onChange={change} />
      <div className="row">
        <button type="submit" disabled={isBad}>
          Apply
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}

interface TabChoiceProps {
  readonly tabs: readonly DashboardTab[];
  readonly ownTab: string;
  readonly tab: string;
  readonly onChange: (tab: string) => void;
}

/** The tab of a widget, where there are some. One without a tab is on all of them. */
function TabChoice({ tabs, ownTab, tab, onChange }: TabChoiceProps) {
  if (tabs.length === 0) return null;
  const known = tabs.filter(({ link }) => !link).map(({ key, value }) => [key, value || "Tab"] as const);
  const all = ownTab === "" ? ([["", "All tabs"]] as const) : [];
  return <Select label="Tab" value={tab} onChange={onChange} options={[...all, ...known]} />;
}

interface SourcesProps {
  readonly dashboard: StoredDashboard;
  readonly definition: Definition;
  readonly disabled: boolean;
  readonly onEdit: (make: (from: Definition) => Definition) => void;
}

/** The devices and variables of a widget. */
function Sources({ dashboard, definition, disabled, onEdit }: SourcesProps) {
  if (!hasSources(definition)) return null;
  const sources = sourcesOf(definition);
  const add = (): void => {
    const source: ShownVariable = { origin: sources.at(-1)?.origin ?? "", variable: "" };
    onEdit((from) => withMore(from, source));
  };
  return (
    <fieldset>
      <legend>Data</legend>
      <ol className="sources">
        {sources
          .map((source, i) => ({ source, number: i + 1 }))
          .map(({ source, number }) => (
            // A line keeps its fields while its variable changes.
            <Source
              key={number}
              number={number}
              dashboard={dashboard}
              source={source}
              disabled={disabled}
              onChange={(to) => onEdit((from) => withSource(from, source, to))}
              onRemove={() => onEdit((from) => withoutSource(from, source))}
            />
          ))}
      </ol>
      <button type="button" disabled={disabled || sources.some(({ variable }) => variable === "")} onClick={add}>
        Add variable
      </button>
    </fieldset>
  );
}

interface PreviewProps {
  readonly dashboard: string;
  readonly id: string;
  readonly definition: Definition;
  readonly stored: Definition | undefined;
  /** The text has mistakes: this is the last drawing before them. */
  readonly isOld: boolean;
}

function Preview({ isOld, ...rest }: PreviewProps) {
  const { content, isSample } = useContent(rest);
  return (
    <section className={isOld ? "preview old" : "preview"} aria-label="Preview">
      <h2>{rest.definition.label}</h2>
      <p role="status">
        {isOld ? (
          <State tone="warn">Last valid version</State>
        ) : isSample ? (
          <State tone="plain">Sample data</State>
        ) : null}
      </p>
      <Picture definition={rest.definition} content={content} heightPx={PREVIEW_PX} />
    </section>
  );
}
