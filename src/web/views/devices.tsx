import { useState } from "react";
import { MAX_LIST_AMOUNT } from "../../lib/core/limits.ts";
import { countOf } from "../../text/count.ts";
import { Content, Heading, Input, nameOf, Outcome } from "../components/basics.tsx";
import { SearchTable, stateColumn, tagsColumn } from "../components/table.tsx";
import { useConsole, useDoing, useLiveReload, useLoad } from "../hooks.ts";
import { isChange } from "../live.ts";
import { href } from "../router.ts";
import { moment } from "../text.ts";

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
  const loaded = useLoad("devices", () =>
    resources.devices.list({ amount: MAX_LIST_AMOUNT, fields: [...FIELDS], orderBy: ["name", "asc"] }),
  );
  useLiveReload(loaded.reload, (event) => event.type === "data" || isChange(event, "device"), 3_000);
  return (
    <>
      <Heading title="Devices" about="Devices of the profile. Times are in UTC." />
      <Content of={loaded}>
        {(devices) => (
          <SearchTable
            label="Search name, id or tag"
            words={({ id, name, tags }) => [id, name, tags]}
            caption={(count) => countOf(count, "device")}
            rows={devices}
            rowKey={({ id }) => id}
            empty="No devices match."
            columns={[
              { title: "Name", cell: ({ id, name }) => <a href={href(["devices", id])}>{nameOf(name, id)}</a> },
              stateColumn,
              { title: "Last data", kind: "time", cell: (device) => moment(device.last_input) },
              { title: "Storage", cell: ({ type }) => type },
              tagsColumn,
              { title: "Id", kind: "id", cell: ({ id }) => id },
            ]}
          >
            <NewDevice onMade={loaded.reload} />
          </SearchTable>
        )}
      </Content>
    </>
  );
}
