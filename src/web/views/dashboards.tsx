import { useState } from "react";
import type { Resources } from "../../index.ts";
import { ALL_ROWS_AMOUNT } from "../../lib/core/limits.ts";
import { Content, Form, Heading, Input, nameOf, Outcome, State, tagTexts } from "../components/basics.tsx";
import { CreateLine, Empty } from "../components/empty.tsx";
import { SearchTable, tagsColumn } from "../components/table.tsx";
import { useConsole, useDoing, useLiveReload, useLoad, useWrites } from "../hooks.ts";
import { isChange } from "../live.ts";
import { go, href, type ViewProps } from "../router.ts";
import { isOfAccount } from "../text.ts";
import { useViewer, ViewerNote } from "./viewer.tsx";

type Listed = Awaited<ReturnType<Resources["dashboards"]["list"]>>[number];
const nameIn = ({ id, label }: Listed) => nameOf(label, id);
const kindIn = ({ type }: Listed) => (type === "blueprint" ? "Blueprint" : "Dashboard");
const words = ({ id, label, tags }: Listed) => [id, label, ...tagTexts(tags)];

/** A dashboard without widgets, which its editor opens. */
function NewDashboard() {
  const { resources } = useConsole();
  const [label, setLabel] = useState("");
  const doing = useDoing();
  const create = (): void =>
    doing.run(async () => {
      const { dashboard } = await resources.dashboards.create({ label, type: "dashboard" });
      go(["dashboards", dashboard, "edit"]);
      return "Created";
    });
  return (
    <Form doing={doing} onSubmit={create}>
      <Input label="New dashboard" name="label" placeholder="Name" value={label} onChange={setLabel} required />
      <button type="submit" disabled={doing.isBusy}>
        Create
      </button>
      <Outcome doing={doing} />
    </Form>
  );
}

export function DashboardsView({ route }: ViewProps) {
  const as = route.query.get("as") ?? "";
  const viewer = useViewer(as);
  const writes = useWrites();
  const loaded = useLoad(`${as} ${viewer.data === undefined}`, async () =>
    viewer.data?.resources.dashboards.list({
      amount: ALL_ROWS_AMOUNT,
      fields: ["id", "label", "type", "visible", "tags"],
    }),
  );
  useLiveReload(loaded.reload, (event) => isChange(event, "dashboard"));
  return (
    <>
      <Heading title="Dashboards" about="Open one to see its widgets with their data.">
        <ViewerNote viewer={viewer} as={as} leave={href(["dashboards"])} />
      </Heading>
      <Content of={viewer.data === undefined ? { ...viewer, data: undefined } : loaded}>
        {(dashboards) => (
          <SearchTable
            unit={["dashboard", "dashboards"]}
            label="Search name, id or tag"
            words={words}
            rows={dashboards}
            rowKey={({ id }) => id}
            empty={
              as === "" ? (
                <Empty of="dashboards" command="iot dashboard create">
                  {!isOfAccount && (
                    <CreateLine path="/dashboard" body={{ label: "First dashboard", type: "dashboard" }} />
                  )}
                </Empty>
              ) : (
                "No access rule shows this user a dashboard."
              )
            }
            columns={[
              {
                title: "Name",
                cell: (dashboard) => (
                  <a href={href(["dashboards", dashboard.id], as === "" ? {} : { as })}>{nameIn(dashboard)}</a>
                ),
                sort: nameIn,
              },
              { title: "Kind", cell: kindIn, sort: kindIn },
              {
                title: "Listed for viewers",
                cell: ({ visible }) =>
                  visible === false ? <State tone="warn">No</State> : <State tone="good">Yes</State>,
              },
              tagsColumn,
              { title: "Id", kind: "id", cell: ({ id }) => id },
            ]}
          >
            {writes && as === "" && <NewDashboard />}
          </SearchTable>
        )}
      </Content>
    </>
  );
}
