import { inspect } from "../api.ts";
import { Content, Heading, Json, Outcome, Select } from "../components/basics.tsx";
import { Confirm } from "../components/confirm.tsx";
import { SearchTable } from "../components/table.tsx";
import { useDoing, useLiveReload, useLoad } from "../hooks.ts";
import { href, setParams, useParam, type ViewProps } from "../router.ts";
import { moment, shown } from "../text.ts";

type Message = Readonly<Record<string, unknown>>;

const SENDERS = ["action", "analysis"] as const;

/** What a message is about, in one line. */
const gist = (message: Message): string =>
  shown(message["subject"] ?? message["title"] ?? message["topic"] ?? message["url"] ?? message["message"], 120) ||
  "Message";
const kindIn = (message: Message): string => shown(message["kind"], 40);
const receiverIn = (message: Message): string => shown(message["to"], 120);
const timeIn = (message: Message): string => moment(message["created_at"]);
const words = (message: Message): readonly unknown[] => [message];

export function OutboxView({ route }: ViewProps) {
  const [kind] = useParam("kind");
  const query = new URLSearchParams();
  for (const name of SENDERS) {
    const id = route.query.get(name);
    if (id !== null) query.set(name, id);
  }
  const loaded = useLoad(query.toString(), async () =>
    (await inspect<Message[]>("GET", `outbox?${query}`)).toReversed(),
  );
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
      <Outcome doing={doing} />
      <Content of={loaded}>
        {(messages) => (
          <SearchTable
            unit={["message", "messages"]}
            order=", newest first"
            label="Search"
            words={words}
            rows={messages.filter((message) => kind === "" || message["kind"] === kind)}
            isFiltered={kind !== ""}
            rowKey={({ id }) => shown(id)}
            empty="Nothing is in the outbox. Actions and analyses fill it: run an analysis that sends an email, or send a device a value that fires an action."
            detail={(message) => <Json value={message} />}
            columns={[
              { title: "Content", kind: "wide", cell: gist, sort: gist },
              { title: "Kind", cell: kindIn, sort: kindIn },
              { title: "To", kind: "wide", cell: receiverIn, sort: receiverIn },
              { title: "Time", kind: "time", cell: timeIn, sort: timeIn },
            ]}
          >
            <Select
              label="Kind"
              value={kind}
              onChange={(next) => setParams({ kind: next, page: "", open: "" })}
              options={[["", "All"], ...new Set([...messages.map(kindIn), ...(kind === "" ? [] : [kind])].sort())]}
            />
            <Confirm
              label="Clear the outbox"
              question="Remove all messages from the outbox?"
              disabled={messages.length === 0}
              onYes={() => doing.act(() => inspect("DELETE", "outbox"), "The outbox is empty")}
            />
          </SearchTable>
        )}
      </Content>
    </>
  );
}
