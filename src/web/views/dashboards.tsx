import { ALL_ROWS_AMOUNT } from "../../lib/core/limits.ts";
import { countOf } from "../../text/count.ts";
import { Content, Heading, nameOf, State } from "../components/basics.tsx";
import { SearchTable, tagsColumn } from "../components/table.tsx";
import { useLiveReload, useLoad } from "../hooks.ts";
import { isChange } from "../live.ts";
import { href, type ViewProps } from "../router.ts";
import { useViewer, ViewerNote } from "./viewer.tsx";

export function DashboardsView({ route }: ViewProps) {
  const as = route.query.get("as") ?? "";
  const viewer = useViewer(as);
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
      <Content of={loaded}>
        {(dashboards = []) => (
          <SearchTable
            label="Search name, id or tag"
            words={({ id, label, tags }) => [id, label, tags]}
            caption={(count) => countOf(count, "dashboard")}
            rows={dashboards}
            rowKey={({ id }) => id}
            empty="No dashboards match."
            columns={[
              {
                title: "Name",
                cell: ({ id, label }) => (
                  <a href={href(["dashboards", id], as === "" ? {} : { as })}>{nameOf(label, id)}</a>
                ),
              },
              { title: "Kind", cell: ({ type }) => (type === "blueprint" ? "Blueprint" : "Dashboard") },
              {
                title: "Listed for viewers",
                cell: ({ visible }) =>
                  visible === false ? <State tone="warn">No</State> : <State tone="good">Yes</State>,
              },
              tagsColumn,
              { title: "Id", kind: "id", cell: ({ id }) => id },
            ]}
          />
        )}
      </Content>
    </>
  );
}
