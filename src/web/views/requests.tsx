import { useState } from "react";
import type { RequestDetails, RequestLogEntry } from "../../sandbox/http/request-log.ts";
import { countOf } from "../../text/count.ts";
import { shellWord } from "../../text/shell-word.ts";
import { inspect } from "../api.ts";
import { Content, Copy, Facts, Heading, Input, Json, Select, State } from "../components/basics.tsx";
import { Table } from "../components/table.tsx";
import { useConsole, useLive, useLoad } from "../hooks.ts";
import { includes, moment, shown } from "../text.ts";

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

function OpenRequest({ n, onClose }: { readonly n: number; readonly onClose: () => void }) {
  const { session } = useConsole();
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
      <button type="button" onClick={onClose}>
        Close
      </button>
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

export function RequestsView() {
  const loaded = useLoad("requests", () => inspect<RequestLogEntry[]>("GET", "requests"));
  const [fresh, setFresh] = useState<readonly RequestLogEntry[]>([]);
  const [filter, setFilter] = useState({ method: "", status: "", search: "" });
  const [hasConsole, setConsole] = useState(false);
  const [chosen, setChosen] = useState<number>();
  const change = (name: keyof typeof filter) => (value: string) => setFilter({ ...filter, [name]: value });
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
      <Content of={loaded}>
        {(stored) => {
          const lastStored = stored.at(-1)?.n ?? 0;
          const all = [...stored, ...fresh.filter(({ n }) => n > lastStored)].slice(-MAX_ENTRIES);
          const found = all
            .filter(({ url, console: isOwn }) => hasConsole || (isOwn !== true && !url.startsWith("/__sandbox")))
            .filter(({ method }) => filter.method === "" || method === filter.method)
            .filter(({ status }) => filter.status === "" || String(status).startsWith(filter.status))
            .filter(({ method, url, gap }) => includes(filter.search, `${method} ${url}`, gap))
            .reverse();
          return (
            <>
              <div className="tools">
                <Select label="Method" value={filter.method} onChange={change("method")} options={METHODS} />
                <Select label="Status" value={filter.status} onChange={change("status")} options={CLASSES} />
                <Input label="Search path or gap" type="search" value={filter.search} onChange={change("search")} />
                <label className="check">
                  <input type="checkbox" checked={hasConsole} onChange={({ target }) => setConsole(target.checked)} />{" "}
                  Show those of this console
                </label>
              </div>
              {chosen !== undefined && <OpenRequest n={chosen} onClose={() => setChosen(undefined)} />}
              <Table
                caption={`${countOf(found.length, "request")}, newest first`}
                rows={found}
                rowKey={({ n }) => n}
                empty={all.length === 0 ? "There were no requests yet." : "No requests match."}
                columns={[
                  {
                    title: "Request",
                    kind: "wide",
                    cell: ({ n, method, url }) => (
                      <button type="button" className="link" aria-expanded={chosen === n} onClick={() => setChosen(n)}>
                        {shown(method, 10)} {shown(url, 200)}
                      </button>
                    ),
                  },
                  { title: "Status", cell: ({ status }) => <Status status={status} /> },
                  { title: "Time", kind: "time", cell: ({ time }) => moment(time) },
                  { title: "ms", kind: "number", cell: ({ durationMs }) => durationMs.toFixed(1) },
                  { title: "Token", cell: ({ token }) => token },
                  { title: "Gap", kind: "wide", cell: ({ gap }) => shown(gap) },
                ]}
              />
            </>
          );
        }}
      </Content>
    </>
  );
}
