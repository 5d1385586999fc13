import { countOf } from "../../text/count.ts";
import { shellWord } from "../../text/shell-word.ts";
import { Copy, Heading } from "../components/basics.tsx";
import { Table } from "../components/table.tsx";
import { useSandbox } from "../hooks.ts";
import { shown } from "../text.ts";

export function EnvironmentView() {
  const session = useSandbox();
  const variables = Object.entries(session.variables);
  const lines = variables.map(([name, value]) => `export ${name}=${shellWord(value)}`).join("\n");
  const windows = variables.map(([name, value]) => `$env:${name} = '${value.replaceAll("'", "''")}'`).join("\n");
  const tokens = Object.entries(session.tokens).filter(([, token]) => token !== "");
  return (
    <>
      <Heading
        title="Environment"
        about="Lines for the shell of a program that is to use this sandbox. IOT_SANDBOX_SECRET, which opens the sandbox's own routes, is printed by iot sandbox start only."
      />
      <section>
        <h2>Variables</h2>
        <pre className="json">{shown(lines, 10_000)}</pre>
        <div className="row">
          <Copy text={lines} label="Copy for sh" />
          <Copy text={windows} label="Copy for PowerShell" />
        </div>
      </section>
      <section>
        <h2>Tokens</h2>
        <Table
          caption={countOf(tokens.length, "token")}
          rows={tokens}
          rowKey={([name]) => name}
          empty="The seed made no tokens."
          columns={[
            { title: "Kind", cell: ([name]) => name },
            { title: "Token", kind: "id", cell: ([, token]) => shown(token) },
            {
              title: "Actions",
              kind: "actions",
              cell: ([name, token]) => <Copy text={token} label={`Copy ${name} token`} />,
            },
          ]}
        />
      </section>
      <section>
        <h2>Logins</h2>
        <Table
          name="logins"
          caption={countOf(session.logins.length, "login")}
          rows={session.logins}
          rowKey={({ email }) => email}
          empty="Nobody can log in."
          columns={[
            { title: "Email", cell: ({ email }) => shown(email, 200) },
            { title: "Logs in to", cell: ({ kind }) => (kind === "account" ? "the account" : "the portal") },
            { title: "Password", kind: "id", cell: ({ password }) => shown(password, 200) },
          ]}
        />
      </section>
    </>
  );
}
