import type { ReactNode } from "react";
import { shellWord } from "../../text/shell-word.ts";
import { inspect } from "../api.ts";
import { useConsole, useDoing, useSandbox } from "../hooks.ts";
import { href } from "../router.ts";
import { isOfAccount } from "../text.ts";
import { Copy, Outcome } from "./basics.tsx";
import { Confirm } from "./confirm.tsx";

interface EmptyProps {
  /** What there could be, in the plural. */
  readonly of: string;
  /** Creates one. */
  readonly command?: string;
  readonly children?: ReactNode;
}

/** Fills the sandbox with the demo account. */
function LoadDemo() {
  const { session } = useConsole();
  const doing = useDoing();
  if (isOfAccount || session.source === "demo") return null;
  return (
    <>
      <Confirm
        label="Load the demo account"
        look="main"
        question="Replace everything in this sandbox with the demo account: devices, dashboards and three months of data?"
        onYes={() => doing.act(() => inspect("POST", "reset", { scenario: "demo" }), "Loaded")}
      />
      <Outcome doing={doing} />
    </>
  );
}

/** An account without something, and how to get it. */
export function Empty({ of, command, children }: EmptyProps) {
  return (
    <div className="empty">
      <p>There are no {of} yet.</p>
      {children}
      {command !== undefined && (
        <p>
          Create one: <code>{command} --help</code> shows how.
        </p>
      )}
      <LoadDemo />
    </div>
  );
}

/** A request that creates something, with the token in a variable: no page has to show it. */
export function CreateLine({ path, body }: { readonly path: string; readonly body: object }) {
  const session = useSandbox();
  const url = session.variables["IOT_API_URL"] ?? location.origin;
  const data = shellWord(JSON.stringify(body));
  return (
    <>
      <p>
        Or with a request; the lines of <a href={href(["environment"])}>Environment</a> set the token:
      </p>
      <CommandLine
        line={`curl -X POST ${url}${path} -H "token: $IOT_TOKEN" -H 'content-type: application/json' --data ${data}`}
      />
    </>
  );
}

interface LineProps {
  readonly line: string;
}

/** A command line to copy. */
export function CommandLine({ line }: LineProps) {
  return (
    <>
      <pre className="json">{line}</pre>
      <Copy text={line} label="Copy the command" />
    </>
  );
}
