import { useMemo, useState } from "react";
import type { RequestDetails, RequestLogEntry } from "../../sandbox/http/request-log.ts";
import { shellWord } from "../../text/shell-word.ts";
import { inspect } from "../api.ts";
import { Content, Copy, Facts, Heading, Json, Select, State } from "../components/basics.tsx";
import { CommandLine } from "../components/empty.tsx";
import { SearchTable } from "../components/table.tsx";
import { useLive, useLoad, useSandbox } from "../hooks.ts";
import { setParams, useParam } from "../router.ts";
import { moment, shown } from "../text.ts";

type Details = RequestLogEntry & RequestDetails;

const MAX_ENTRIES = 1_000;
/** Where the lines of the environment have a token of this kind. */
const TOKEN_VARIABLES: Readonly<Record<string, string>> = {
  profile: "IOT_TOKEN",
  analysis: "T_ANALYSIS_TOKEN",
  device: "IOT_SANDBOX_DEVICE_TOKEN",
};

/** The request as a command line. The token stays in a variable. */
function curlOf({ method, url, token, body, headers }: Details, origin: string): string {
  const type = headers["content-type"];
  const parts = [
    `curl -X ${method.replace(/[^A-Z]/g, "")} ${shellWord(`${origin}${url}`)}`,
    ...(token === "anonymous" ? [] : [`-H "token: $${TOKEN_VARIABLES[token] ?? "TOKEN"}"`]),
    ...(body === ""
      ? []
      : [`-H ${shellWord(`content-type: ${type ?? "application/json"}`)}`, `--data ${shellWord(body)}`]),
  ];
  return parts.join(" \\\n  ");
}

function Status({ status }: { readonly status: number }) {
  const tone = status === 0 || status >= 500 ? "bad" : status >= 400 ? "warn" : "good";
  return <State tone={tone}>{status === 0 ? "Cut off" : status}</State>;
}

/** A JSON text with its lines, any other as it is. */
function Body({ title, text }: { readonly title: string; readonly text: string }) {
  if (text === "") return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  return (
    <>
      <h3>{title}</h3>
      {value === undefined ? <pre className="json">{shown(text, 5_000)}</pre> : <Json value={value} />}
    </>
  );
}

function OpenRequest({ n }: { readonly n: number }) {
  const session = useSandbox();
  const loaded = useLoad(String(n), () => inspect<Details>("GET", `requests/${n}`));
  const origin = session.variables["IOT_API_URL"] ?? location.origin;
  return (
    <section className="panel" aria-label="One request">
      <Content of={loaded}>
        {(details) => (
          <>
            <h2>
              {shown(details.method, 10)} {shown(details.url, 300)}
            </h2>
            <Facts
              of={{
                Status: <Status status={details.status} />,
                Token: details.token,
                Took: `${details.durationMs.toFixed(1)} ms`,
                ...Object.fromEntries(
                  Object.entries(details.headers).map(([name, value]) => [name, shown(value, 200)]),
                ),
              }}
            />
            <Body title="Body" text={details.body} />
            <Body title="Response" text={details.response} />
            <Copy text={curlOf(details, origin)} label="Copy as curl" />
          </>
        )}
      </Content>
    </section>
  );
}

const CLASSES = [
  ["", "All"],
  ["2", "2xx"],
  ["3", "3xx"],
  ["4", "4xx"],
  ["5", "5xx"],
  ["0", "Cut off"],
] as const;
const METHODS = [["", "All"], "GET", "POST", "PUT", "DELETE", "OPTIONS"] as const;

const pathIn = ({ method, url }: RequestLogEntry): string => `${shown(method, 10)} ${shown(url, 200)}`;
const words = (entry: RequestLogEntry): readonly unknown[] => [`${entry.method} ${entry.url}`, entry.gap];
const tokenIn = ({ token }: RequestLogEntry): string => token;

function NoRequests() {
  const session = useSandbox();
  const url = session.variables["IOT_API_URL"] ?? location.origin;
  return (
    <div className="empty">
      <p>No program has asked this sandbox anything yet. Try a request:</p>
      <CommandLine line={`curl ${url}/status`} />
    </div>
  );
}

/** What chooses among the requests. */
function Filters() {
  const [method] = useParam("method");
  const [status] = useParam("status");
  const [own] = useParam("console");
  const choose = (name: string) => (value: string) => setParams({ [name]: value, page: "", open: "" });
  return (
    <>
      <Select label="Method" value={method} onChange={choose("method")} options={METHODS} />
      <Select label="Status" value={status} onChange={choose("status")} options={CLASSES} />
      <label className="check">
        <input
          type="checkbox"
          checked={own !== ""}
          onChange={({ target }) => choose("console")(target.checked ? "yes" : "")}
        />{" "}
        Show those of this console
      </label>
    </>
  );
}

/** Requests as they are stored and arrive, newest first. */
function useRequests(stored: readonly RequestLogEntry[], fresh: readonly RequestLogEntry[]) {
  const [method] = useParam("method");
  const [status] = useParam("status");
  const [own] = useParam("console");
  return useMemo(() => {
    const lastStored = stored.at(-1)?.n ?? 0;
    const all = [...stored, ...fresh.filter(({ n }) => n > lastStored)].slice(-MAX_ENTRIES);
    return all
      .filter(({ url, console: isOwn }) => own !== "" || (isOwn !== true && !url.startsWith("/__sandbox")))
      .filter((entry) => method === "" || entry.method === method)
      .filter((entry) => status === "" || String(entry.status).startsWith(status))
      .reverse();
  }, [stored, fresh, method, status, own]);
}

interface RequestsProps {
  readonly stored: readonly RequestLogEntry[];
  readonly fresh: readonly RequestLogEntry[];
}

function RequestTable({ stored, fresh }: RequestsProps) {
  const [method] = useParam("method");
  const [status] = useParam("status");
  const found = useRequests(stored, fresh);
  // Few requests rest on a gap: the column is there when one does.
  const gap = { title: "Gap", kind: "wide", cell: (entry: RequestLogEntry) => shown(entry.gap) } as const;
  return (
    <SearchTable
      unit={["request", "requests"]}
      order=", newest first"
      label="Search path or gap"
      words={words}
      rows={found}
      isFiltered={method !== "" || status !== ""}
      rowKey={({ n }) => n}
      empty={<NoRequests />}
      detail={({ n }) => <OpenRequest n={n} />}
      columns={[
        { title: "Request", kind: "path", cell: pathIn, sort: pathIn },
        { title: "Status", cell: (entry) => <Status status={entry.status} />, sort: (entry) => entry.status },
        { title: "Time", kind: "time", cell: ({ time }) => moment(time), sort: ({ n }) => n },
        {
          title: "ms",
          kind: "number",
          cell: ({ durationMs }) => durationMs.toFixed(1),
          sort: (entry) => entry.durationMs,
        },
        { title: "Token", cell: tokenIn, sort: tokenIn },
        ...(found.some((entry) => entry.gap !== undefined) ? [gap] : []),
      ]}
    >
      <Filters />
    </SearchTable>
  );
}

export function RequestsView() {
  const loaded = useLoad("requests", () => inspect<RequestLogEntry[]>("GET", "requests"));
  const [fresh, setFresh] = useState<readonly RequestLogEntry[]>([]);
  useLive((events) => {
    const entries = events.flatMap((event) => (event.type === "request" ? [event.entry] : []));
    if (entries.length > 0) setFresh((known) => [...known, ...entries].slice(-MAX_ENTRIES));
    if (events.some(({ type }) => type === "reconnected" || type === "replaced")) loaded.reload();
  });
  return (
    <>
      <Heading
        title="Requests"
        about="What programs asked this sandbox, as it happens. Tokens and passwords are left out."
      />
      <Content of={loaded}>{(stored) => <RequestTable stored={stored} fresh={fresh} />}</Content>
    </>
  );
}
