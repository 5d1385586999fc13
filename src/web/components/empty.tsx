import type { ReactNode } from "react";
import { Copy } from "./basics.tsx";

interface EmptyProps {
  /** What there could be, in the plural. */
  readonly of: string;
  /** Creates one. */
  readonly command?: string;
  readonly children?: ReactNode;
}

const DEMO = "iot sandbox start --scenario demo --ephemeral --port 0";

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
      <p>
        Or look at the demo account: <code>{DEMO}</code> starts another sandbox with devices, dashboards and history.
      </p>
    </div>
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
