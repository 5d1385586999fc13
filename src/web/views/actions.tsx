import { ALL_ROWS_AMOUNT } from "../../lib/core/limits.ts";
import { isRecord } from "../../lib/widgets/draw/page.ts";
import { countOf } from "../../text/count.ts";
import { Content, Heading, Json, nameOf, Outcome } from "../components/basics.tsx";
import { SearchTable, stateColumn } from "../components/table.tsx";
import { useConsole, useDoing, useLiveReload, useLoad } from "../hooks.ts";
import { isChange } from "../live.ts";
import { href } from "../router.ts";
import { moment, shown } from "../text.ts";

const FIELDS = ["id", "name", "active", "type", "action", "trigger", "last_triggered", "tags"] as const;

export function ActionsView() {
  const { resources } = useConsole();
  const loaded = useLoad("actions", () =>
    resources.actions.list({ amount: ALL_ROWS_AMOUNT, fields: [...FIELDS], orderBy: ["name", "asc"] }),
  );
  useLiveReload(
    loaded.reload,
    (event) => event.type === "data" || event.type === "outbox" || isChange(event, "action"),
  );
  const doing = useDoing(loaded.reload);
  const switchTo = (id: string, active: boolean): void =>
    doing.act(
      () => resources.actions.edit(id, { active }),
      active ? "The action is active" : "The action is inactive: it does not fire",
    );
  return (
    <>
      <Heading title="Actions" about="What happens by itself, and when it last fired. What it sent is in the outbox." />
      <Outcome doing={doing} />
      <Content of={loaded}>
        {(actions) => (
          <SearchTable
            label="Search name, id or type"
            words={({ id, name, type }) => [id, name, type]}
            caption={(count) => countOf(count, "action")}
            rows={actions}
            rowKey={({ id }) => id}
            empty="No actions match."
            columns={[
              { title: "Name", cell: ({ id, name }) => nameOf(name, id) },
              stateColumn,
              { title: "Trigger", cell: ({ type }) => shown(type, 60).replaceAll("_", " ") },
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
        )}
      </Content>
    </>
  );
}
