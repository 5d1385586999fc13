import { useState } from "react";
import { Active, Content, Heading, Input, nameOf, State, Tags } from "../components/basics.tsx";
import { Table } from "../components/table.tsx";
import { useConsole, useLiveReload, useLoad } from "../hooks.ts";
import { href } from "../router.ts";
import { countOf, includes, moment, shown } from "../text.ts";

const FIELDS = ["id", "name", "active", "runtime", "run_on", "last_run", "tags"] as const;

export function AnalysesView() {
  const { resources, session } = useConsole();
  const [search, setSearch] = useState("");
  const loaded = useLoad("analyses", () =>
    resources.analysis.list({ amount: 1_000, fields: [...FIELDS], orderBy: ["name", "asc"] }),
  );
  useLiveReload(loaded.reload, ({ type, kind }) => type === "console" || (type === "changed" && kind === "analysis"));
  return (
    <>
      <Heading title="Analyses" about="Open one to run it and to watch its console.">
        {!session.runsScripts && <State tone="warn">This sandbox runs no scripts</State>}
      </Heading>
      <Content of={loaded}>
        {(analyses) => {
          const found = analyses.filter(({ id, name, tags }) => includes(search, id, name, tags));
          return (
            <>
              <div className="tools">
                <Input label="Search name, id or tag" type="search" value={search} onChange={setSearch} />
              </div>
              <Table
                caption={countOf(found.length, "analysis", "analyses")}
                rows={found}
                rowKey={({ id }) => id}
                empty="No analyses match."
                columns={[
                  { title: "Name", cell: ({ id, name }) => <a href={href(["analyses", id])}>{nameOf(name, id)}</a> },
                  {
                    title: "State",
                    cell: ({ active }) => <Active active={active} />,
                  },
                  {
                    title: "Runs",
                    cell: ({ run_on: place }) => (place === "external" ? "on your machine" : "in the sandbox"),
                  },
                  { title: "Runtime", cell: ({ runtime }) => shown(runtime, 60) },
                  { title: "Last run", kind: "time", cell: (analysis) => moment(analysis.last_run) },
                  { title: "Tags", kind: "wide", cell: ({ tags }) => <Tags of={tags} /> },
                ]}
              />
            </>
          );
        }}
      </Content>
    </>
  );
}
