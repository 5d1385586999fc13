import { useState } from "react";
import type { FaultRule } from "../../sandbox/core/fault-rules.ts";
import { countOf } from "../../text/count.ts";
import { InspectError, inspect } from "../api.ts";
import { Content, Form, Heading, Input, Outcome, Select } from "../components/basics.tsx";
import { Table } from "../components/table.tsx";
import { useDoing, useLiveReload, useLoad } from "../hooks.ts";
import { type FieldTexts, FormError, shown } from "../text.ts";

type Kind = FaultRule["kind"];
type Rule = FaultRule & { readonly injected?: number };

const KINDS: Readonly<Record<Kind, string>> = {
  latency: "Delays requests",
  status: "Rejects requests",
  drop: "Closes the connection without a response",
  truncate: "Sends half of the response",
  cut: "Closes event streams",
  stall: "Keeps event streams open, and sends nothing on them",
  duplicate: "Sends events twice",
  delay: "Sends events later",
};
const isKind = (name: string): name is Kind => Object.hasOwn(KINDS, name);

interface RuleField {
  readonly name: string;
  readonly label: string;
  /** What to say where it is left out. */
  readonly needed?: string;
  readonly isText?: boolean;
}

const delays: readonly RuleField[] = [
  { name: "delayMs", label: "Delay in ms", needed: "Give a delay, such as 500" },
  { name: "jitterMs", label: "Up to as many ms more" },
];
const after = { name: "after", label: "After events" };
/** Which fields a kind has, beside how often. */
const FIELDS: Readonly<Partial<Record<Kind, readonly RuleField[]>>> = {
  latency: delays,
  delay: delays,
  status: [
    { name: "status", label: "Status", needed: "Give a status from 400 to 599, such as 503" },
    { name: "message", label: "Message of the error", isText: true },
    { name: "retryAfterSeconds", label: "Retry-After in s" },
  ],
  cut: [after],
  stall: [after, { name: "forMs", label: "For ms" }],
};
const OFTEN: readonly RuleField[] = [
  { name: "rate", label: "Rate, 0 to 1" },
  { name: "count", label: "At most" },
];

const fieldsOf = (kind: Kind): readonly RuleField[] => [...(FIELDS[kind] ?? []), ...OFTEN];

/** The rule of a form. */
function ruleOf(kind: Kind, form: FieldTexts): Rule {
  const wrong: Record<string, string> = {};
  const rule: Record<string, unknown> = {};
  for (const { name, needed, isText = false } of fieldsOf(kind)) {
    const text = (form[name] ?? "").trim();
    if (text === "") {
      if (needed !== undefined) wrong[name] = needed;
    } else if (isText) rule[name] = text;
    else if (Number.isNaN(Number(text))) wrong[name] = `"${text}" is not a number`;
    else rule[name] = Number(text);
  }
  if (Object.keys(wrong).length > 0) throw new FormError(wrong);
  const route = (form["route"] ?? "").trim();
  return { kind, ...(route !== "" && { route }), ...rule };
}

/** What the sandbox says of a rule begins with the property it is about. */
function aboutRule(error: unknown): never {
  const [, text = "", name = ""] =
    (error instanceof InspectError && /^Invalid fault rule: ((\w+) .*)$/.exec(error.message)) || [];
  if (text === "") throw error;
  throw new FormError({ [text.endsWith("GET /events") ? "route" : name]: text });
}

function delayWords({ delayMs = 1_000, jitterMs = 0 }: Rule): string {
  return jitterMs > 0 ? `${delayMs} to ${delayMs + jitterMs} ms` : `${delayMs} ms`;
}

/** What happens to a request or stream, as the sandbox fills in what a rule leaves out. */
function effectOf(rule: Rule): string {
  const { status = 500, message = status === 429 ? "Too many requests" : "Injected fault" } = rule;
  const once = rule.after === undefined ? "" : ` after ${countOf(rule.after, "event")}`;
  switch (rule.kind) {
    case "latency":
      return `Delayed by ${delayWords(rule)}`;
    case "status": {
      const retry = rule.retryAfterSeconds === undefined ? "" : `, Retry-After: ${rule.retryAfterSeconds}`;
      return `Answered with ${status} "${shown(message, 200)}"${retry}`;
    }
    case "drop":
      return "The connection is closed without a response";
    case "truncate":
      return "Half of the response is sent";
    case "cut":
      return `The event stream is closed${once}`;
    case "stall":
      return `The event stream stays open and silent${once}${rule.forMs === undefined ? "" : ` for ${rule.forMs} ms`}`;
    case "duplicate":
      return "Events are sent twice";
    case "delay":
      return `Events are sent ${delayWords(rule)} late`;
  }
}

/** A rule in words: `Answered with 503 "Injected fault", 20 % of them, at most 3 times`. */
function wordsOf(rule: Rule): string {
  const { rate = 1, count, channel } = rule;
  return [
    effectOf(rule),
    ...(channel === undefined ? [] : [`on ${shown(channel, 100)} only`]),
    ...(rate === 1 ? [] : [`${Math.round(rate * 1_000) / 10} % of them`]),
    ...(count === undefined ? [] : [`at most ${countOf(count, "time")}`]),
  ].join(", ");
}

/** The words of the rule in the form, once it has what it needs. */
function previewOf(kind: Kind, form: FieldTexts): string {
  try {
    return `${wordsOf(ruleOf(kind, form))}.`;
  } catch {
    return `${KINDS[kind]}.`;
  }
}

interface NewRuleProps {
  readonly rules: readonly Rule[];
  readonly onChanged: () => void;
}

const put = (rules: readonly Rule[]): Promise<unknown> =>
  inspect(
    "PUT",
    "faults",
    rules.map(({ injected: _, ...rule }) => rule),
  );

function NewRule({ rules, onChanged }: NewRuleProps) {
  const doing = useDoing(onChanged);
  const [kind, setKind] = useState<Kind>("latency");
  const [form, setForm] = useState<FieldTexts>({});
  const set = (name: string) => (value: string) => setForm({ ...form, [name]: value });
  return (
    <section>
      <h2>Add a rule</h2>
      <Form
        doing={doing}
        onSubmit={() => doing.act(async () => put([...rules, ruleOf(kind, form)]).catch(aboutRule), "Added")}
      >
        <Select
          label="Kind"
          name="kind"
          value={kind}
          onChange={(name) => isKind(name) && setKind(name)}
          options={Object.keys(KINDS)}
        />
        <Input
          label="Route"
          name="route"
          placeholder="GET /device/*"
          value={form["route"] ?? ""}
          onChange={set("route")}
        />
        {fieldsOf(kind).map(({ name, label }) => (
          <Input key={name} label={label} name={name} value={form[name] ?? ""} onChange={set(name)} />
        ))}
        <button type="submit" disabled={doing.isBusy}>
          Add rule
        </button>
        <button
          type="button"
          disabled={rules.length === 0}
          onClick={() => doing.act(() => put([]), "All faults are removed")}
        >
          Remove all
        </button>
      </Form>
      <p className="about">{previewOf(kind, form)}</p>
      <Outcome doing={doing} />
    </section>
  );
}

export function FaultsView() {
  const loaded = useLoad("faults", () => inspect<Rule[]>("GET", "faults"));
  const removing = useDoing(loaded.reload);
  // Whatever may have met a fault.
  useLiveReload(
    loaded.reload,
    (event) => event.type === "data" || (event.type === "request" && !event.entry.url.startsWith("/__sandbox")),
  );
  return (
    <>
      <Heading
        title="Faults"
        about="Injected into requests of the platform and into event streams, those of this console included. The routes of the sandbox itself stay as they are."
      />
      <Content of={loaded}>
        {(rules) => (
          <>
            <Table
              caption={countOf(rules.length, "rule")}
              rows={rules.map((rule, index) => ({ rule, index }))}
              rowKey={({ index }) => index}
              empty="No faults are injected. Add a rule to see how a program copes."
              columns={[
                { title: "What happens", kind: "wide", cell: ({ rule }) => wordsOf(rule) },
                { title: "Route", kind: "code", cell: ({ rule }) => shown(rule.route, 200) || "every route" },
                { title: "Injected", kind: "number", cell: ({ rule }) => countOf(rule.injected ?? 0, "time") },
                {
                  title: "Actions",
                  kind: "actions",
                  cell: ({ index }) => (
                    <button
                      type="button"
                      onClick={() => removing.act(() => put(rules.filter((_, other) => other !== index)), "Removed")}
                    >
                      Remove
                    </button>
                  ),
                },
              ]}
            />
            <Outcome doing={removing} />
            <NewRule rules={rules} onChanged={loaded.reload} />
          </>
        )}
      </Content>
    </>
  );
}
