import { type FormEvent, useState } from "react";
import { countOf } from "../../text/count.ts";
import { inspect } from "../api.ts";
import { Content, Heading, Input, Outcome, Select } from "../components/basics.tsx";
import { Table } from "../components/table.tsx";
import { useDoing, useLoad } from "../hooks.ts";
import { shown } from "../text.ts";

type Rule = Readonly<Record<string, unknown>>;

const KINDS: Readonly<Record<string, string>> = {
  latency: "Delays requests.",
  status: "Rejects requests.",
  drop: "Closes the connection without a response.",
  truncate: "Sends half of the response.",
  cut: "Closes event streams.",
  stall: "Keeps event streams open, and sends nothing on them.",
  duplicate: "Sends events twice.",
  delay: "Sends events later.",
};

/** Which numbers a kind has, beside how often. */
const NUMBERS: Readonly<Record<string, readonly (readonly [name: string, label: string])[]>> = {
  latency: [
    ["delayMs", "Delay in ms"],
    ["jitterMs", "Jitter in ms"],
  ],
  delay: [
    ["delayMs", "Delay in ms"],
    ["jitterMs", "Jitter in ms"],
  ],
  status: [["status", "Status"]],
  cut: [["after", "After events"]],
  stall: [
    ["after", "After events"],
    ["forMs", "For ms"],
  ],
};
const OFTEN = [
  ["rate", "Rate, 0 to 1"],
  ["count", "At most"],
] as const;

const details = ({ kind: _, route: __, ...rest }: Rule): string =>
  Object.entries(rest)
    .map(([name, value]) => `${name} ${shown(value, 60)}`)
    .join(", ");

export function FaultsView() {
  const loaded = useLoad("faults", () => inspect<Rule[]>("GET", "faults"));
  const doing = useDoing(loaded.reload);
  const [kind, setKind] = useState("latency");
  const [form, setForm] = useState<Readonly<Record<string, string>>>({});
  const set = (rules: readonly Rule[], done: string): void => doing.act(() => inspect("PUT", "faults", rules), done);
  const numbers = [...(NUMBERS[kind] ?? []), ...OFTEN];
  const ruleOf = (): Rule => {
    const given = numbers.filter(([name]) => (form[name] ?? "") !== "");
    const route = form["route"] ?? "";
    return {
      kind,
      ...(route === "" ? {} : { route }),
      ...Object.fromEntries(given.map(([name]) => [name, Number(form[name])])),
    };
  };
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
              empty="No faults are injected."
              columns={[
                { title: "Kind", cell: ({ rule }) => shown(rule["kind"], 40) },
                { title: "Route", kind: "code", cell: ({ rule }) => shown(rule["route"], 200) || "every route" },
                { title: "Details", kind: "wide", cell: ({ rule }) => details(rule) },
                {
                  title: "Actions",
                  kind: "actions",
                  cell: ({ index }) => (
                    <button
                      type="button"
                      onClick={() =>
                        set(
                          rules.filter((_, other) => other !== index),
                          "Removed",
                        )
                      }
                    >
                      Remove
                    </button>
                  ),
                },
              ]}
            />
            <section>
              <h2>Add a rule</h2>
              <p className="about">{KINDS[kind]}</p>
              <form
                className="row"
                onSubmit={(event: FormEvent) => {
                  event.preventDefault();
                  set([...rules, ruleOf()], "Added");
                }}
              >
                <Select label="Kind" value={kind} onChange={setKind} options={Object.keys(KINDS)} />
                <Input
                  label="Route"
                  placeholder="GET /device/*"
                  value={form["route"] ?? ""}
                  onChange={(route) => setForm({ ...form, route })}
                />
                {numbers.map(([name, label]) => (
                  <Input
                    key={name}
                    label={label}
                    value={form[name] ?? ""}
                    onChange={(value) => setForm({ ...form, [name]: value })}
                  />
                ))}
                <button type="submit" disabled={doing.isBusy}>
                  Add rule
                </button>
                <button type="button" disabled={rules.length === 0} onClick={() => set([], "All faults are removed")}>
                  Remove all
                </button>
              </form>
              <Outcome doing={doing} />
            </section>
          </>
        )}
      </Content>
    </>
  );
}
