import type { Resources } from "../../index.ts";
import { ALL_ROWS_AMOUNT } from "../../lib/core/limits.ts";
import { isRecord } from "../../lib/widgets/draw/page.ts";
import { Content, Heading, Json, nameOf, Outcome, tagTexts } from "../components/basics.tsx";
import { Empty } from "../components/empty.tsx";
import { SearchTable, stateColumn } from "../components/table.tsx";
import { Ago } from "../components/time.tsx";
import { useConsole, useDoing, useLiveReload, useLoad } from "../hooks.ts";
import { isChange } from "../live.ts";
import { href } from "../router.ts";
import { msOf, shown } from "../text.ts";

const FIELDS = ["id", "name", "active", "type", "action", "trigger", "last_triggered", "tags"] as const;

type Action = Awaited<ReturnType<Resources["actions"]["list"]>>[number];
const nameIn = ({ id, name }: Action) => nameOf(name, id);
const triggerIn = ({ type }: Action) => shown(type, 60).replaceAll("_", " ");
const workIn = ({ action }: Action) => (isRecord(action) ? shown(action["type"], 60).replaceAll("_", " ") : "");
const words = ({ id, name, type, tags }: Action) => [id, name, type, ...tagTexts(tags)];

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
            unit={["action", "actions"]}
            label="Search name, id, type or tag"
            words={words}
            rows={actions}
            rowKey={({ id }) => id}
            empty={<Empty of="actions" command="iot action create" />}
            detail={({ trigger, action }) => <Json value={{ trigger, action }} />}
            columns={[
              { title: "Name", cell: nameIn, sort: nameIn },
              stateColumn,
              { title: "Trigger", cell: triggerIn, sort: triggerIn },
              { title: "Does", cell: workIn, sort: workIn },
              {
                title: "Last fired",
                kind: "time",
                cell: (action) => <Ago at={action.last_triggered} />,
                sort: (action) => msOf(action.last_triggered),
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
