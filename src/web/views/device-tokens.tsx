import { useState } from "react";
import { countOf } from "../../text/count.ts";
import { Content, Copy, Form, Input, Outcome, Select } from "../components/basics.tsx";
import { Confirm } from "../components/confirm.tsx";
import { Table } from "../components/table.tsx";
import { Ago } from "../components/time.tsx";
import { type Doing, useConsole, useDoing, useLoad } from "../hooks.ts";
import { moment, shown } from "../text.ts";

const PERMISSIONS = ["full", "write", "read"] as const;
const FIELDS = ["name", "token", "permission", "expire_time", "last_authorization"] as const;

/** The form that creates a token. */
function NewToken({ device, doing }: { readonly device: string; readonly doing: Doing }) {
  const { resources } = useConsole();
  const [name, setName] = useState("");
  const [permission, setPermission] = useState<string>("full");
  const create = (): void =>
    doing.act(async () => {
      const allowed = PERMISSIONS.find((each) => each === permission) ?? "read";
      await resources.devices.tokenCreate(device, { name, permission: allowed, expire_time: "never" });
      setName("");
    }, "Created");
  return (
    <Form doing={doing} onSubmit={create}>
      <Input label="New token" name="name" placeholder="Name" value={name} onChange={setName} required />
      <Select label="Permission" name="permission" value={permission} onChange={setPermission} options={PERMISSIONS} />
      <button type="submit" disabled={doing.isBusy}>
        Create token
      </button>
    </Form>
  );
}

/** The tokens of a device, each hidden until it is asked for. */
export function DeviceTokens({ device }: { readonly device: string }) {
  const { resources } = useConsole();
  const loaded = useLoad(device, () => resources.devices.tokenList(device, { amount: 100, fields: [...FIELDS] }));
  const doing = useDoing(loaded.reload);
  const [visible, setVisible] = useState("");
  return (
    <section>
      <h2>Tokens</h2>
      <Content of={loaded}>
        {(tokens) => (
          <Table
            name="tokens"
            caption={countOf(tokens.length, "token")}
            rows={tokens}
            rowKey={({ token }) => token}
            empty="The device has no tokens."
            columns={[
              { title: "Name", cell: (token) => shown(token.name, 200) },
              { title: "Permission", cell: (token) => token.permission },
              { title: "Expires", kind: "time", cell: (token) => moment(token.expire_time) },
              { title: "Last used", kind: "time", cell: (token) => <Ago at={token.last_authorization} /> },
              {
                title: "Token",
                kind: "code",
                cell: ({ token }) => (visible === token ? token : `********${token.slice(-4)}`),
              },
              {
                title: "Actions",
                kind: "actions",
                cell: ({ token, name: of }) => (
                  <>
                    <button
                      type="button"
                      aria-pressed={visible === token}
                      onClick={() => setVisible(visible === token ? "" : token)}
                    >
                      {visible === token ? "Hide" : "Show"}
                    </button>
                    <Copy text={token} label="Copy" />
                    <Confirm
                      label="Delete"
                      question={`Delete the token ${shown(of, 60)}? Programs that use it are rejected.`}
                      onYes={() => doing.act(() => resources.devices.tokenDelete(token), "Deleted")}
                    />
                  </>
                ),
              },
            ]}
          />
        )}
      </Content>
      <NewToken device={device} doing={doing} />
      <Outcome doing={doing} />
    </section>
  );
}
