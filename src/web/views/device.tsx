import { useState } from "react";
import { Active, Content, Facts, Heading, nameOf, Outcome, Tags, titleFor } from "../components/basics.tsx";
import { Confirm } from "../components/confirm.tsx";
import { Ago } from "../components/time.tsx";
import { useConsole, useDoing, useLiveReload, useLoad } from "../hooks.ts";
import { isChange } from "../live.ts";
import { go, href, type ViewProps } from "../router.ts";
import { isOfAccount, shown } from "../text.ts";
import { DeviceData } from "./device-data.tsx";
import { DeviceParams } from "./device-params.tsx";
import { DeviceTokens } from "./device-tokens.tsx";
import { SendReading } from "./send-reading.tsx";

/** What can be done with a device, and whether it is being deleted. */
function useChanges(id: string, reload: () => void, reloadAmount: () => void) {
  const { resources } = useConsole();
  const doing = useDoing(reload);
  const [isDeleting, setDeleting] = useState(false);
  const switchTo = (active: boolean): void =>
    doing.act(
      () => resources.devices.edit(id, { active }),
      active ? "The device is active" : "The device is inactive: its tokens are rejected",
    );
  const empty = (): void =>
    doing.act(() => resources.devices.emptyDeviceData(id).then(reloadAmount), "All data of the device is deleted");
  const remove = (): void =>
    doing.run(async () => {
      setDeleting(true);
      await resources.devices.delete(id).catch((error: unknown) => {
        setDeleting(false);
        throw error;
      });
      go(["devices"]);
      return "Deleted";
    });
  return { doing, isDeleting, switchTo, empty, remove };
}

interface ChangesProps {
  readonly isActive: boolean;
  readonly changes: ReturnType<typeof useChanges>;
}

/** Switches a device on and off, and deletes its data or all of it. */
function Changes({ isActive, changes: { doing, switchTo, empty, remove } }: ChangesProps) {
  return (
    <section>
      <h2>Change the device</h2>
      <div className="row">
        <button type="button" disabled={doing.isBusy} onClick={() => switchTo(!isActive)}>
          {isActive ? "Deactivate" : "Activate"}
        </button>
        <Confirm
          label="Delete all data"
          question="Delete all data of this device? This cannot be undone."
          onYes={empty}
        />
        <Confirm
          label="Delete device"
          question="Delete this device with its data and tokens? This cannot be undone."
          word="delete"
          onYes={remove}
        />
      </div>
      <Outcome doing={doing} />
    </section>
  );
}

export function DeviceView({ route }: ViewProps) {
  const { resources } = useConsole();
  const id = route.parts[1] ?? "";
  const loaded = useLoad(id, () => resources.devices.info(id));
  const amount = useLoad(id, () => resources.devices.amount(id));
  const changes = useChanges(id, loaded.reload, amount.reload);
  // While the device is deleted, nothing of it is loaded again: the browser reports each 404 as an error.
  const unlessDeleting = (reload: () => void) => (changes.isDeleting ? () => undefined : reload);
  useLiveReload(unlessDeleting(loaded.reload), (event) => isChange(event, "device", id));
  useLiveReload(unlessDeleting(amount.reload), (event) => event.type === "data" && event.device === id, 2_000);
  if (changes.isDeleting) return <p className="none">Deleting</p>;
  return (
    <>
      <p>
        <a href={href(["devices"])}>All devices</a>
      </p>
      <Heading
        title={titleFor("Device", loaded, ({ name }) => nameOf(name, id))}
        about={loaded.data && shown(loaded.data.description)}
      >
        {loaded.data && (
          <p>
            <Active active={loaded.data.active} /> <Tags of={loaded.data.tags} />
          </p>
        )}
      </Heading>
      <Content of={loaded}>
        {(device) => (
          <>
            <Facts
              of={{
                Id: <code>{id}</code>,
                Storage: device.type,
                Records: (amount.data ?? 0).toLocaleString("en-US"),
                "Last data": <Ago at={device.last_input} />,
                Network: <code>{shown(device.network) || "none"}</code>,
                Connector: <code>{shown(device.connector) || "none"}</code>,
              }}
            />
            {!isOfAccount && <SendReading device={id} />}
            <DeviceData device={id} />
            {!isOfAccount && (
              <>
                <DeviceParams device={id} />
                <DeviceTokens device={id} />
                <Changes isActive={device.active} changes={changes} />
              </>
            )}
          </>
        )}
      </Content>
    </>
  );
}
