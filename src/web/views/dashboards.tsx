import { useState } from "react";
import { Content, Heading, Input, nameOf, State, Tags } from "../components/basics.tsx";
import { Table } from "../components/table.tsx";
import { useLiveReload, useLoad } from "../hooks.ts";
import { href, type ViewProps } from "../router.ts";
import { countOf, includes } from "../text.ts";
import { useViewer, ViewerNote } from "./viewer.tsx";

export function DashboardsView({ route }: ViewProps) {
  const as = route.query.get("as") ?? "";
  const viewer = useViewer(as);
  const [search, setSearch] = useState("");
  const loaded = useLoad(`${as} ${viewer.data === undefined}`, async () =>
    viewer.data?.resources.dashboards.list({ amount: 1_000, fields: ["id", "label", "type", "visible", "tags"] }),
  );
  useLiveReload(loaded.reload, ({ type, kind }) => type === "changed" && kind === "dashboard");
  return (
    <>
      <Heading title="Dashboards" about="Open one to see its widgets with their data.">
        <ViewerNote viewer={viewer} as={as} leave={href(["dashboards"])} />
      </Heading>
      <Content of={loaded}>
        {(dashboards = []) => {
          const found = dashboards.filter(({ id, label, tags }) => includes(search, id, label, tags));
          return (
            <>
              <div className="tools">
                <Input label="Search name, id or tag" type="search" value={search} onChange={setSearch} />
              </div>
              <Table
                caption={countOf(found.length, "dashboard")}
                rows={found}
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
                  { title: "Tags", kind: "wide", cell: ({ tags }) => <Tags of={tags} /> },
                  { title: "Id", kind: "code", cell: ({ id }) => id },
                ]}
              />
            </>
          );
        }}
      </Content>
    </>
  );
}
