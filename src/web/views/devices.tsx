import { useEffect, useRef, useState } from "react";
import type { Resources } from "../../index.ts";
import { MAX_LIST_AMOUNT } from "../../lib/core/limits.ts";
import { Content, Form, Heading, Input, nameOf, Outcome, State, type Tone, tagTexts } from "../components/basics.tsx";
import { CreateLine, Empty } from "../components/empty.tsx";
import { SearchTable, tagsColumn } from "../components/table.tsx";
import { Ago, useNowMs } from "../components/time.tsx";
import { useConsole, useDoing, useLiveReload, useLoad } from "../hooks.ts";
import { isChange } from "../live.ts";
import { go, href, useParam } from "../router.ts";
import { isOfAccount, msOf } from "../text.ts";

const FIELDS = ["id", "name", "active", "type", "tags", "last_input"] as const;
/** A device without data for as long is called silent. */
const SILENT_MS = 86_400_000;

type Listed = Pick<
  Awaited<ReturnType<Resources["devices"]["list"]>>[number],
  "id" | "name" | "active" | "type" | "tags" | "last_input"
>;
const nameIn = ({ id, name }: Listed) => nameOf(name, id);
const storageIn = ({ type }: Listed) => type;
const words = ({ id, name, tags }: Listed) => [id, name, ...tagTexts(tags)];

/** Whether a device may send, and whether it does. */
function stateOf({ active, last_input: last }: Listed, nowMs: number): readonly [Tone, string] {
  if (active === false) return ["warn", "Inactive"];
  const lastMs = msOf(last);
  if (lastMs < 0) return ["plain", "No data yet"];
  return lastMs < nowMs - SILENT_MS ? ["warn", "Silent"] : ["good", "Active"];
}

function DeviceState({ of: [tone, word] }: { readonly of: ReturnType<typeof stateOf> }) {
  return <State tone={tone}>{word}</State>;
}

function NewDevice({ onMade }: { readonly onMade: () => void }) {
  const { resources } = useConsole();
  const [isAsked, setAsked] = useParam("new");
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isAsked === "") return;
    form.current?.querySelector("input")?.focus();
    setAsked("");
  }, [isAsked, setAsked]);
  const [name, setName] = useState("");
  const doing = useDoing();
  const create = (): void =>
    doing.run(async () => {
      const { device_id: id } = await resources.devices.create({ name, type: "mutable" });
      go(["devices", id]);
      onMade();
      return "Created";
    });
  return (
    <div ref={form}>
      <Form doing={doing} onSubmit={create}>
        <Input label="New device" name="name" placeholder="Name" value={name} onChange={setName} required />
        <button type="submit" disabled={doing.isBusy}>
          Create
        </button>
        <Outcome doing={doing} />
      </Form>
    </div>
  );
}

function FirstDevice() {
  return (
    <Empty of="devices">
      <div className="row">
        <a className="button" href={href(["devices"], { new: "1" })}>
          Create a device
        </a>
      </div>
      <CreateLine path="/device" body={{ name: "First device", type: "mutable" }} />
    </Empty>
  );
}

export function DevicesView() {
  const { resources } = useConsole();
  const nowMs = useNowMs();
  const loaded = useLoad("devices", () =>
    resources.devices.list({ amount: MAX_LIST_AMOUNT, fields: [...FIELDS], orderBy: ["name", "asc"] }),
  );
  useLiveReload(loaded.reload, (event) => event.type === "data" || isChange(event, "device"), 3_000);
  return (
    <>
      <Heading title="Devices" about="Devices of the profile. Silent ones sent nothing for a day." />
      <Content of={loaded}>
        {(devices) => (
          <SearchTable
            unit={["device", "devices"]}
            label="Search name, id or tag"
            words={words}
            rows={devices}
            rowKey={({ id }) => id}
            empty={isOfAccount ? <Empty of="devices" command="iot device create" /> : <FirstDevice />}
            columns={[
              {
                title: "Name",
                cell: (device) => <a href={href(["devices", device.id])}>{nameIn(device)}</a>,
                sort: nameIn,
              },
              {
                title: "State",
                cell: (device) => <DeviceState of={stateOf(device, nowMs)} />,
                sort: (device) => stateOf(device, nowMs)[1],
              },
              {
                title: "Last data",
                kind: "time",
                cell: (device) => <Ago at={device.last_input} />,
                sort: (device) => msOf(device.last_input),
              },
              { title: "Storage", cell: storageIn, sort: storageIn },
              tagsColumn,
              { title: "Id", kind: "id", cell: ({ id }) => id },
            ]}
          >
            {!isOfAccount && <NewDevice onMade={loaded.reload} />}
          </SearchTable>
        )}
      </Content>
    </>
  );
}
