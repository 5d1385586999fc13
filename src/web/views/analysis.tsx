import { type FormEvent, useState } from "react";
import { isRecord } from "../../lib/widgets/draw/page.ts";
import { Active, Area, Content, Facts, Heading, nameOf, Outcome, Tags } from "../components/basics.tsx";
import { useConsole, useDoing, useLive, useLiveReload, useLoad } from "../hooks.ts";
import { isChange } from "../live.ts";
import { href, type ViewProps } from "../router.ts";
import { moment, parseJson, shown } from "../text.ts";

const MAX_LINES = 500;

interface Line {
  readonly key: number;
  readonly text: string;
}

/** The newest lines, each with a key that rises. */
function withLines(known: readonly Line[], texts: readonly string[]): readonly Line[] {
  const first = (known.at(-1)?.key ?? 0) + 1;
  return [...known, ...texts.map((text, at) => ({ key: first + at, text: shown(text, 10_000) }))].slice(-MAX_LINES);
}

/** The lines that are stored, then those that arrive. */
function ConsoleLines({ id, stored }: { readonly id: string; readonly stored: readonly string[] }) {
  const [lines, setLines] = useState<readonly Line[]>(() => withLines([], stored));
  useLive((events) => {
    const fresh = events.flatMap((event) => (event.type === "console" && event.analysis === id ? [event.message] : []));
    if (fresh.length > 0) setLines((known) => withLines(known, fresh));
  });
  return (
    <section>
      <h2>Console</h2>
      <div className="row">
        <button type="button" onClick={() => setLines([])}>
          Clear what is shown
        </button>
      </div>
      {/* The newest line stands first: nothing has to be scrolled to. */}
      <section className="console" aria-label="Lines of the console, newest first">
        {lines.length === 0 ? (
          <p className="none">Nothing was printed yet.</p>
        ) : (
          <ol reversed>
            {lines.toReversed().map(({ key, text }) => (
              <li key={key}>{text}</li>
            ))}
          </ol>
        )}
      </section>
    </section>
  );
}

export function AnalysisView({ route }: ViewProps) {
  const { resources } = useConsole();
  const id = route.parts[1] ?? "";
  const loaded = useLoad(id, () => resources.analysis.info(id));
  useLiveReload(loaded.reload, (event) => isChange(event, "analysis", id));
  const doing = useDoing(loaded.reload);
  const [scope, setScope] = useState("");
  const run = (event: FormEvent): void => {
    event.preventDefault();
    doing.run(async () => {
      const value = parseJson(scope);
      if (value !== undefined && !Array.isArray(value) && !isRecord(value))
        throw new Error("The scope is an object or a list of objects");
      await resources.analysis.run(id, value);
      loaded.reload();
      return "The analysis was started";
    });
  };
  const switchTo = (active: boolean): void =>
    doing.act(
      () => resources.analysis.edit(id, { active }),
      active ? "The analysis is active" : "The analysis is inactive: it does not run",
    );
  return (
    <>
      <p>
        <a href={href(["analyses"])}>All analyses</a>
      </p>
      <Content of={loaded}>
        {(analysis) => (
          <>
            <Heading title={nameOf(analysis.name, id)} about={shown(analysis.description)}>
              <p>
                <Active active={analysis.active} /> <Tags of={analysis.tags} />
              </p>
            </Heading>
            <Facts
              of={{
                Id: <code>{id}</code>,
                Runs: analysis.run_on === "external" ? "on your machine" : "in the sandbox",
                Runtime: shown(analysis.runtime),
                Script: shown(analysis.file_name) || "none",
                "Last run": moment(analysis.last_run),
              }}
            />
            <section>
              <h2>Run</h2>
              <form onSubmit={run}>
                <Area label="Scope as JSON, may be empty" value={scope} onChange={setScope} />
                <div className="row">
                  <button type="submit" disabled={doing.isBusy}>
                    Run analysis
                  </button>
                  <button type="button" disabled={doing.isBusy} onClick={() => switchTo(!analysis.active)}>
                    {analysis.active ? "Deactivate" : "Activate"}
                  </button>
                  <a href={href(["outbox"], { analysis: id })}>Messages it sent</a>
                </div>
              </form>
              <Outcome doing={doing} />
            </section>
            <ConsoleLines id={id} stored={analysis.console ?? []} />
          </>
        )}
      </Content>
    </>
  );
}
