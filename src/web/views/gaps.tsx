import { inspect } from "../api.ts";
import { Content, Heading, Outcome, State } from "../components/basics.tsx";
import { SearchTable } from "../components/table.tsx";
import { useConsole, useDoing, useLoad, useSandbox } from "../hooks.ts";
import { shown } from "../text.ts";

interface Gap {
  readonly subject: string;
  readonly choice: string;
  readonly scope: string;
}

const subjectIn = ({ subject }: Gap) => shown(subject);
const scopeIn = ({ scope }: Gap) => scope;
const words = ({ subject, choice }: Gap) => [subject, choice];

export function GapsView() {
  const { refresh } = useConsole();
  const session = useSandbox();
  const loaded = useLoad("gaps", () => inspect<Gap[]>("GET", "gaps"));
  const doing = useDoing(refresh);
  const switchTo = (strict: boolean): void =>
    doing.act(
      () => inspect("PUT", "strict", { strict }),
      strict ? "Requests that rest on a gap are rejected" : "Requests that rest on a gap are answered",
    );
  return (
    <>
      <Heading
        title="Gaps"
        about="Where the platform's behavior is unknown, the sandbox had to assume something. In strict mode such a request is rejected with 501."
      >
        <p className="row">
          {session.strict ? (
            <State tone="warn">Strict mode is on</State>
          ) : (
            <State tone="plain">Strict mode is off</State>
          )}
          <button type="button" disabled={doing.isBusy} onClick={() => switchTo(!session.strict)}>
            {session.strict ? "Switch strict mode off" : "Switch strict mode on"}
          </button>
        </p>
      </Heading>
      <Outcome doing={doing} />
      <Content of={loaded}>
        {(gaps) => (
          <SearchTable
            unit={["gap", "gaps"]}
            label="Search"
            words={words}
            rows={gaps}
            rowKey={({ subject, choice }) => `${subject} ${choice}`}
            empty="The sandbox assumes nothing."
            columns={[
              { title: "Subject", kind: "wide", cell: subjectIn, sort: subjectIn },
              { title: "The sandbox assumes", kind: "wide", cell: ({ choice }) => shown(choice) },
              { title: "Scope", cell: scopeIn, sort: scopeIn },
            ]}
          />
        )}
      </Content>
    </>
  );
}
