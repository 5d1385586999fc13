import { ALL_ROWS_AMOUNT } from "../../lib/core/limits.ts";
import { countOf } from "../../text/count.ts";
import { Content, Heading, nameOf, State } from "../components/basics.tsx";
import { SearchTable, stateColumn, tagsColumn } from "../components/table.tsx";
import { useConsole, useLiveReload, useLoad } from "../hooks.ts";
import { isChange } from "../live.ts";
import { href } from "../router.ts";
import { moment, shown } from "../text.ts";

const FIELDS = ["id", "name", "active", "runtime", "run_on", "last_run", "tags"] as const;

export function AnalysesView() {
  const { resources, session } = useConsole();
  const loaded = useLoad("analyses", () =>
    resources.analysis.list({ amount: ALL_ROWS_AMOUNT, fields: [...FIELDS], orderBy: ["name", "asc"] }),
  );
  useLiveReload(loaded.reload, (event) => event.type === "console" || isChange(event, "analysis"));
  return (
    <>
      <Heading title="Analyses" about="Open one to run it and to watch its console.">
        {!session.runsScripts && <State tone="warn">This sandbox runs no scripts</State>}
      </Heading>
      <Content of={loaded}>
        {(analyses) => (
          <SearchTable
            label="Search name, id or tag"
            words={({ id, name, tags }) => [id, name, tags]}
            caption={(count) => countOf(count, "analysis", "analyses")}
            rows={analyses}
            rowKey={({ id }) => id}
            empty="No analyses match."
            columns={[
              { title: "Name", cell: ({ id, name }) => <a href={href(["analyses", id])}>{nameOf(name, id)}</a> },
              stateColumn,
              {
                title: "Runs",
                cell: ({ run_on: place }) => (place === "external" ? "on your machine" : "in the sandbox"),
              },
              { title: "Runtime", cell: ({ runtime }) => shown(runtime, 60) },
              { title: "Last run", kind: "time", cell: (analysis) => moment(analysis.last_run) },
              tagsColumn,
            ]}
          />
        )}
      </Content>
    </>
  );
}
