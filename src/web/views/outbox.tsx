import { useState } from "react";
import { countOf } from "../../text/count.ts";
import { inspect } from "../api.ts";
import { Content, Heading, Input, Json, Outcome, Select } from "../components/basics.tsx";
import { Confirm } from "../components/confirm.tsx";
import { Table } from "../components/table.tsx";
import { useDoing, useLiveReload, useLoad } from "../hooks.ts";
import { href, type ViewProps } from "../router.ts";
import { includes, moment, shown } from "../text.ts";

type Message = Readonly<Record<string, unknown>>;

const SENDERS = ["action", "analysis"] as const;

/** What a message is about, in one line. */
const gist = (message: Message): string =>
  shown(message["subject"] ?? message["title"] ?? message["topic"] ?? message["url"] ?? message["message"], 120);

export function OutboxView({ route }: ViewProps) {
  const [kind, setKind] = useState("");
  const [search, setSearch] = useState("");
  const query = new URLSearchParams();
  for (const name of SENDERS) {
    const id = route.query.get(name);
    if (id !== null) query.set(name, id);
  }
  const loaded = useLoad(query.toString(), () => inspect<Message[]>("GET", `outbox?${query}`));
  useLiveReload(loaded.reload, ({ type }) => type === "outbox");
  const doing = useDoing(loaded.reload);
  return (
    <>
      <Heading title="Outbox" about="What would have left this machine: emails, messages, requests. Nothing was sent.">
        {query.size > 0 && (
          <p>
            Only messages of one {[...query.keys()].join(" and ")}. <a href={href(["outbox"])}>Show all</a>
          </p>
        )}
      </Heading>
      <Content of={loaded}>
        {(messages) => {
          const kinds = [...new Set(messages.map((message) => shown(message["kind"])))].sort();
          const found = messages
            .filter((message) => (kind === "" || message["kind"] === kind) && includes(search, message))
            .reverse();
          return (
            <>
              <div className="tools">
                <Select label="Kind" value={kind} onChange={setKind} options={[["", "All"], ...kinds]} />
                <Input label="Search" type="search" value={search} onChange={setSearch} />
                <Confirm
                  label="Clear the outbox"
                  question="Remove all messages from the outbox?"
                  disabled={messages.length === 0}
                  onYes={() => doing.act(() => inspect("DELETE", "outbox"), "The outbox is empty")}
                />
              </div>
              <Outcome doing={doing} />
              <Table
                caption={`${countOf(found.length, "message")}, newest first`}
                rows={found}
                rowKey={({ id }) => shown(id)}
                empty={messages.length === 0 ? "Nothing is in the outbox." : "No messages match."}
                columns={[
                  { title: "Kind", cell: (message) => shown(message["kind"], 40) },
                  { title: "Time", kind: "time", cell: (message) => moment(message["created_at"]) },
                  { title: "To", cell: (message) => shown(message["to"], 120) },
                  {
                    title: "Content",
                    kind: "wide",
                    cell: (message) => (
                      <details>
                        <summary>{gist(message) || "Message"}</summary>
                        <Json value={message} />
                      </details>
                    ),
                  },
                ]}
              />
            </>
          );
        }}
      </Content>
    </>
  );
}
