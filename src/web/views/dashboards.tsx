import { useState } from "react";
import type { Resources } from "../../index.ts";
import { ALL_ROWS_AMOUNT } from "../../lib/core/limits.ts";
import { Content, Form, Heading, Input, nameOf, Outcome, State, tagTexts } from "../components/basics.tsx";
import { CreateLine, Empty } from "../components/empty.tsx";
import { SearchTable, tagsColumn } from "../components/table.tsx";
import { useConsole, useDoing, useLiveReload, useLoad, useWrites } from "../hooks.ts";
import { isChange } from "../live.ts";
import { go, href, useParam, type ViewProps } from "../router.ts";
import { isOfAccount } from "../text.ts";
import { CARD_FIELDS, type CardRow, DashboardCards } from "./dashboard-cards.tsx";
import { useViewer, ViewerNote } from "./viewer.tsx";

const nameIn = ({ id, label }: CardRow) => nameOf(label, id);
const kindIn = ({ type }: CardRow) => (type === "blueprint" ? "Blueprint" : "Dashboard");
const words = ({ id, label, tags }: CardRow) => [id, label, ...tagTexts(tags)];

/** In the address for a table instead of cards. */
const TABLE = "table";

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

interface ListProps {
  readonly dashboards: readonly CardRow[];
  readonly resources: Resources | undefined;
  /** The portal user they are seen as; empty: the profile. */
  readonly as: string;
}

/** The dashboards as cards or as a table, with the search. */
function DashboardList({ dashboards, resources, as }: ListProps) {
  const writes = useWrites();
  const [look, setLook] = useParam("look");
  return (
    <SearchTable
      unit={["dashboard", "dashboards"]}
      label="Search name, id or tag"
      words={words}
      rows={dashboards}
      rowKey={({ id }) => id}
      body={
        look === TABLE || resources === undefined
          ? undefined
          : (rows, caption) => (
              <DashboardCards rows={rows} all={dashboards} caption={caption} resources={resources} as={as} />
            )
      }
      empty={
        as === "" ? (
          <Empty of="dashboards" command="iot dashboard create">
            {!isOfAccount && <CreateLine path="/dashboard" body={{ label: "First dashboard", type: "dashboard" }} />}
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
          cell: ({ visible }) => (visible === false ? <State tone="warn">No</State> : <State tone="good">Yes</State>),
        },
        tagsColumn,
        { title: "Id", kind: "id", cell: ({ id }) => id },
      ]}
    >
      <button type="button" aria-pressed={look === TABLE} onClick={() => setLook(look === TABLE ? "" : TABLE)}>
        Table
      </button>
      {writes && as === "" && <NewDashboard />}
    </SearchTable>
  );
}

export function DashboardsView({ route }: ViewProps) {
  const as = route.query.get("as") ?? "";
  const viewer = useViewer(as);
  const loaded = useLoad(`${as} ${viewer.data === undefined}`, async () =>
    viewer.data?.resources.dashboards.list({ amount: ALL_ROWS_AMOUNT, fields: [...CARD_FIELDS] }),
  );
  useLiveReload(loaded.reload, (event) => isChange(event, "dashboard"));
  return (
    <>
      <Heading title="Dashboards" about="Open one to see its widgets with their data.">
        <ViewerNote viewer={viewer} as={as} leave={href(["dashboards"])} />
      </Heading>
      <Content of={viewer.data === undefined ? { ...viewer, data: undefined } : loaded}>
        {(dashboards) => <DashboardList dashboards={dashboards} resources={viewer.data?.resources} as={as} />}
      </Content>
    </>
  );
}
