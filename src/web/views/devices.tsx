import { useState } from "react";
import { Active, Content, Heading, Input, nameOf, Outcome, Tags } from "../components/basics.tsx";
import { Table } from "../components/table.tsx";
import { useConsole, useDoing, useLiveReload, useLoad } from "../hooks.ts";
import { href } from "../router.ts";
import { countOf, includes, moment } from "../text.ts";

const MAX_DEVICES = 10_000;
const FIELDS = ["id", "name", "active", "type", "tags", "last_input"] as const;

function NewDevice({ onMade }: { readonly onMade: () => void }) {
  const { resources } = useConsole();
  const [name, setName] = useState("");
  const doing = useDoing();
  const create = (): void =>
    doing.run(async () => {
      const { device_id: id } = await resources.devices.create({ name, type: "mutable" });
      location.hash = href(["devices", id]);
      onMade();
      return "Created";
    });
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault();
        create();
      }}
    >
      <Input label="New device" placeholder="Name" value={name} onChange={setName} required />
      <button type="submit" disabled={doing.isBusy}>
        Create
      </button>
      <Outcome doing={doing} />
    </form>
  );
}

export function DevicesView() {
  const { resources } = useConsole();
  const [search, setSearch] = useState("");
  const loaded = useLoad("devices", () =>
    resources.devices.list({ amount: MAX_DEVICES, fields: [...FIELDS], orderBy: ["name", "asc"] }),
  );
  useLiveReload(loaded.reload, ({ type, kind }) => type === "data" || (type === "changed" && kind === "device"), 3_000);
  return (
    <>
      <Heading title="Devices" about="Devices of the profile. Times are in UTC." />
      <Content of={loaded}>
        {(devices) => {
          const found = devices.filter(({ id, name, tags }) => includes(search, id, name, tags));
          return (
            <>
              <div className="tools">
                <Input label="Search name, id or tag" type="search" value={search} onChange={setSearch} />
                <NewDevice onMade={loaded.reload} />
              </div>
              <Table
                caption={countOf(found.length, "device")}
                rows={found}
                rowKey={({ id }) => id}
                empty="No devices match."
                columns={[
                  { title: "Name", cell: ({ id, name }) => <a href={href(["devices", id])}>{nameOf(name, id)}</a> },
                  {
                    title: "State",
                    cell: ({ active }) => <Active active={active} />,
                  },
                  { title: "Last data", kind: "time", cell: (device) => moment(device.last_input) },
                  { title: "Storage", cell: ({ type }) => type },
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
