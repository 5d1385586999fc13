import { useState } from "react";
import { countOf } from "../../text/count.ts";
import { aboutField, inspect, request } from "../api.ts";
import { Content, Form, Heading, Input, Outcome } from "../components/basics.tsx";
import { Confirm } from "../components/confirm.tsx";
import { Table } from "../components/table.tsx";
import { type Doing, useDoing, useLoad } from "../hooks.ts";
import { save } from "../save.ts";
import { moment, shown } from "../text.ts";

type Snapshot = Readonly<Record<string, unknown>>;

interface SnapshotTableProps {
  readonly snapshots: readonly Snapshot[];
  readonly doing: Doing;
}

/** The snapshots, each of which can be restored and deleted. */
function SnapshotTable({ snapshots, doing }: SnapshotTableProps) {
  const path = (of: string): string => `snapshots/${encodeURIComponent(of)}`;
  return (
    <Table
      caption={countOf(snapshots.length, "snapshot")}
      rows={snapshots}
      rowKey={(snapshot) => shown(snapshot["name"])}
      empty="There are no snapshots. Save one before a test, and restore it afterwards."
      columns={[
        { title: "Name", cell: (snapshot) => shown(snapshot["name"], 200) },
        {
          title: "Saved",
          kind: "time",
          cell: (snapshot) => moment(snapshot["createdAt"] ?? snapshot["created_at"]),
        },
        {
          title: "Actions",
          kind: "actions",
          cell: (snapshot) => {
            const own = shown(snapshot["name"]);
            return (
              <>
                <Confirm
                  label="Restore"
                  question={`Replace everything in the sandbox with the snapshot ${own}?`}
                  onYes={() => doing.act(() => inspect("POST", `${path(own)}/restore`), "Restored")}
                />
                <Confirm
                  label="Delete"
                  question={`Delete the snapshot ${own}?`}
                  onYes={() => doing.act(() => inspect("DELETE", path(own)), "Deleted")}
                />
              </>
            );
          },
        },
      ]}
    />
  );
}

export function SnapshotsView() {
  const loaded = useLoad("snapshots", () => inspect<Snapshot[]>("GET", "snapshots"));
  const doing = useDoing(loaded.reload);
  const [name, setName] = useState("");
  const create = (): void =>
    doing.act(async () => {
      await inspect("POST", "snapshots", name === "" ? undefined : { name }).catch(aboutField("name"));
      setName("");
    }, "Saved");
  const download = (): void =>
    doing.run(async () => {
      const response = await request("export");
      if (!response.ok) throw new Error(`The sandbox could not be exported (status ${response.status})`);
      save(await response.blob(), "sandbox.tgz");
      return "Downloaded";
    });
  return (
    <>
      <Heading title="Snapshots and reset" about="Save the state of the sandbox, and go back to it." />
      <Form doing={doing} onSubmit={create}>
        <Input
          label="Name of the snapshot"
          name="name"
          placeholder="made from the time"
          value={name}
          onChange={setName}
        />
        <button type="submit" disabled={doing.isBusy}>
          Save a snapshot
        </button>
        <button type="button" disabled={doing.isBusy} onClick={download}>
          Download everything as a file
        </button>
      </Form>
      <Outcome doing={doing} />
      <Content of={loaded}>{(snapshots) => <SnapshotTable snapshots={snapshots} doing={doing} />}</Content>
      <section>
        <h2>Reset</h2>
        <p>Removes everything that was changed, and fills in the seed again. Snapshots stay.</p>
        <Confirm
          label="Reset the sandbox"
          question="Reset the sandbox to its initial state? This cannot be undone."
          word="reset"
          onYes={() => doing.act(() => inspect("POST", "reset"), "The sandbox was reset")}
        />
      </section>
    </>
  );
}
