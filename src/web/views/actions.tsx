import { useState } from "react";
import { Active, Content, Heading, Input, Json, nameOf, Outcome } from "../components/basics.tsx";
import { Table } from "../components/table.tsx";
import { useConsole, useDoing, useLiveReload, useLoad } from "../hooks.ts";
import { href } from "../router.ts";
import { countOf, includes, isRecord, moment, shown } from "../text.ts";

const FIELDS = ["id", "name", "active", "type", "action", "trigger", "last_triggered", "tags"] as const;

export function ActionsView() {
  const { resources } = useConsole();
  const doing = useDoing();
  const [search, setSearch] = useState("");
  const loaded = useLoad("actions", () =>
    resources.actions.list({ amount: 1_000, fields: [...FIELDS], orderBy: ["name", "asc"] }),
  );
  useLiveReload(
    loaded.reload,
    ({ type, kind }) => type === "data" || type === "outbox" || (type === "changed" && kind === "action"),
  );
  const switchTo = (id: string, active: boolean): void =>
    doing.run(async () => {
      await resources.actions.edit(id, { active });
      loaded.reload();
      return active ? "The action is active" : "The action is inactive: it does not fire";
    });
  return (
    <>
      <Heading title="Actions" about="What happens by itself, and when it last fired. What it sent is in the outbox." />
      <Content of={loaded}>
        {(actions) => {
          const found = actions.filter(({ id, name, type }) => includes(search, id, name, type));
          return (
            <>
              <div className="tools">
                <Input label="Search name, id or type" type="search" value={search} onChange={setSearch} />
              </div>
              <Outcome doing={doing} />
              <Table
                caption={countOf(found.length, "action")}
                rows={found}
                rowKey={({ id }) => id}
                empty="No actions match."
                columns={[
                  { title: "Name", cell: ({ id, name }) => nameOf(name, id) },
                  {
                    title: "State",
                    cell: ({ active }) => <Active active={active} />,
                  },
                  { title: "Trigger", cell: ({ type }) => shown(type, 60) },
                  { title: "Does", cell: ({ action }) => (isRecord(action) ? shown(action["type"], 60) : "") },
                  { title: "Last fired", kind: "time", cell: (action) => moment(action.last_triggered) },
                  {
                    title: "Details",
                    kind: "wide",
                    cell: ({ trigger, action }) => (
                      <details>
                        <summary>Definition</summary>
                        <Json value={{ trigger, action }} />
                      </details>
                    ),
                  },
                  {
                    title: "Actions",
                    kind: "actions",
                    cell: ({ id, active }) => (
                      <>
                        <button type="button" disabled={doing.isBusy} onClick={() => switchTo(id, !active)}>
                          {active ? "Disable" : "Enable"}
                        </button>
                        <a href={href(["outbox"], { action: id })}>Messages</a>
                      </>
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
