import type { Resources } from "../../index.ts";
import { ALL_ROWS_AMOUNT } from "../../lib/core/limits.ts";
import { Content, Heading, nameOf, State, tagTexts } from "../components/basics.tsx";
import { CreateLine, Empty } from "../components/empty.tsx";
import { SearchTable, stateColumn, tagsColumn } from "../components/table.tsx";
import { Ago } from "../components/time.tsx";
import { useConsole, useLiveReload, useLoad, useSandbox } from "../hooks.ts";
import { isChange } from "../live.ts";
import { href } from "../router.ts";
import { msOf, shown } from "../text.ts";

const FIELDS = ["id", "name", "active", "runtime", "run_on", "last_run", "tags"] as const;

type Analysis = Awaited<ReturnType<Resources["analysis"]["list"]>>[number];
const nameIn = ({ id, name }: Analysis) => nameOf(name, id);
const placeIn = ({ run_on: place }: Analysis) => (place === "external" ? "on your machine" : "in the sandbox");
const runtimeIn = ({ runtime }: Analysis) => shown(runtime, 60);
const words = ({ id, name, tags }: Analysis) => [id, name, ...tagTexts(tags)];

export function AnalysesView() {
  const { resources } = useConsole();
  const session = useSandbox();
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
            unit={["analysis", "analyses"]}
            label="Search name, id or tag"
            words={words}
            rows={analyses}
            rowKey={({ id }) => id}
            empty={
              <Empty of="analyses" command="iot analysis create">
                <CreateLine path="/analysis" body={{ name: "First analysis", run_on: "external" }} />
              </Empty>
            }
            columns={[
              {
                title: "Name",
                cell: (analysis) => <a href={href(["analyses", analysis.id])}>{nameIn(analysis)}</a>,
                sort: nameIn,
              },
              stateColumn,
              { title: "Runs", cell: placeIn, sort: placeIn },
              { title: "Runtime", cell: runtimeIn, sort: runtimeIn },
              {
                title: "Last run",
                kind: "time",
                cell: (analysis) => <Ago at={analysis.last_run} />,
                sort: (analysis) => msOf(analysis.last_run),
              },
              tagsColumn,
            ]}
          />
        )}
      </Content>
    </>
  );
}
