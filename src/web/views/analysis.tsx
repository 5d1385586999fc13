import { type UIEvent, useEffect, useRef, useState } from "react";
import type { AnalysisInfo } from "../../index.ts";
import { isRecord } from "../../lib/widgets/draw/page.ts";
import type { StoredLine } from "../../sandbox/analyses/types.ts";
import { inspect } from "../api.ts";
import {
  Active,
  Area,
  Content,
  Facts,
  Form,
  Heading,
  nameOf,
  Outcome,
  Select,
  Tags,
  titleFor,
} from "../components/basics.tsx";
import { Ago } from "../components/time.tsx";
import { useConsole, useDoing, useLive, useLiveReload, useLoad } from "../hooks.ts";
import { isChange } from "../live.ts";
import { href, useParam, type ViewProps } from "../router.ts";
import { FormError, moment, parseJson, shown } from "../text.ts";

const MAX_LINES = 500;

interface Line extends StoredLine {
  readonly key: number;
}

/** The newest lines, each with a key that rises. */
function withLines(known: readonly Line[], lines: readonly StoredLine[]): readonly Line[] {
  const first = (known.at(-1)?.key ?? 0) + 1;
  return [...known, ...lines.map((line, at) => ({ ...line, key: first + at }))].slice(-MAX_LINES);
}

/** The lines of a console as a terminal shows them: the newest last, and in sight unless the reader scrolled up. */
function Terminal({ lines, none }: { readonly lines: readonly Line[]; readonly none: string }) {
  const box = useRef<HTMLDivElement>(null);
  const [isFollowing, setFollowing] = useState(true);
  const last = lines.at(-1)?.key;
  useEffect(() => {
    if (isFollowing && last !== undefined) box.current?.scrollTo(0, box.current.scrollHeight);
  }, [isFollowing, last]);
  const scrolled = ({ currentTarget: { scrollTop, scrollHeight, clientHeight } }: UIEvent): void =>
    setFollowing(scrollHeight - scrollTop - clientHeight < 8);
  return (
    <div ref={box} className="console" role="log" aria-label="Lines of the console" onScroll={scrolled}>
      {lines.length === 0 ? (
        <p className="none">{none}</p>
      ) : (
        <ol>
          {lines.map(({ key, message, timestamp, isError }) => (
            <li key={key} className={isError ? "bad" : undefined}>
              <time dateTime={timestamp}>{timestamp === undefined ? "" : moment(timestamp)}</time>{" "}
              {isError && <strong>Error</strong>} {shown(message, 10_000)}
            </li>
          ))}
        </ol>
      )}
      {/* In the box, so that the keyboard reaches what scrolls. */}
      <button type="button" className="follow" aria-pressed={isFollowing} onClick={() => setFollowing(!isFollowing)}>
        Follow the newest lines
      </button>
    </div>
  );
}

/** Which lines are shown. */
const LEVELS = ["All lines", "Errors"] as const;

/** The lines that are stored, then those that arrive. */
function ConsoleLines({ id, stored }: { readonly id: string; readonly stored: readonly StoredLine[] }) {
  const [lines, setLines] = useState(() => withLines([], stored));
  const [none, setNone] = useState("Nothing was printed yet. Run the analysis to see its lines.");
  useLive((events) => {
    const fresh = events.flatMap((event) => (event.type === "console" && event.analysis === id ? [event] : []));
    if (fresh.length > 0) setLines((known) => withLines(known, fresh));
  });
  const [level, setLevel] = useParam("level", LEVELS[0]);
  const errors = lines.filter(({ isError }) => isError);
  return (
    <>
      <div className="row">
        <Select
          label="Show"
          value={level}
          onChange={setLevel}
          options={[
            [LEVELS[0], `All lines (${lines.length})`],
            [LEVELS[1], `Errors (${errors.length})`],
          ]}
        />
        <button
          type="button"
          onClick={() => {
            setLines([]);
            setNone("Cleared. Lines that arrive are shown here; a reload shows all that are stored.");
          }}
        >
          Clear what is shown
        </button>
      </div>
      <Terminal
        lines={level === LEVELS[1] ? errors : lines}
        none={lines.length > 0 ? "None of the lines is an error." : none}
      />
    </>
  );
}

interface RunProps {
  readonly analysis: AnalysisInfo;
  readonly reload: () => void;
}

/** Runs an analysis, and switches it on and off. */
function Run({ analysis: { id, active }, reload }: RunProps) {
  const { resources } = useConsole();
  const doing = useDoing(reload);
  const [scope, setScope] = useState("");
  const run = (): void =>
    doing.act(async () => {
      const value = parseJson("scope", scope);
      if (value !== undefined && !Array.isArray(value) && !isRecord(value))
        throw new FormError({ scope: "The scope is an object or a list of objects" });
      await resources.analysis.run(id, value);
    }, "The analysis was started");
  const switchTo = (isActive: boolean): void =>
    doing.act(
      () => resources.analysis.edit(id, { active: isActive }),
      isActive ? "The analysis is active" : "The analysis is inactive: it does not run",
    );
  return (
    <section>
      <h2>Run</h2>
      <Form className="column" doing={doing} onSubmit={run}>
        <Area label="Scope as JSON, may be empty" name="scope" value={scope} onChange={setScope} />
        <div className="row">
          <button type="submit" disabled={doing.isBusy}>
            Run analysis
          </button>
          <button type="button" disabled={doing.isBusy} onClick={() => switchTo(active === false)}>
            {active === false ? "Activate" : "Deactivate"}
          </button>
          <a href={href(["outbox"], { analysis: id })}>Messages it sent</a>
        </div>
      </Form>
      <Outcome doing={doing} />
    </section>
  );
}

export function AnalysisView({ route }: ViewProps) {
  const { resources } = useConsole();
  const id = route.parts[1] ?? "";
  const loaded = useLoad(id, () => resources.analysis.info(id));
  const lines = useLoad(`console ${id}`, () =>
    inspect<StoredLine[]>("GET", `analyses/${encodeURIComponent(id)}/console`),
  );
  useLiveReload(loaded.reload, (event) => isChange(event, "analysis", id));
  return (
    <>
      <p>
        <a href={href(["analyses"])}>All analyses</a>
      </p>
      <Heading
        title={titleFor("Analysis", loaded, ({ name }) => nameOf(name, id))}
        about={loaded.data && shown(loaded.data.description)}
      >
        {loaded.data && (
          <p>
            <Active active={loaded.data.active} /> <Tags of={loaded.data.tags} />
          </p>
        )}
      </Heading>
      <Content of={loaded}>
        {(analysis) => (
          <>
            <Facts
              of={{
                Id: <code>{id}</code>,
                Runs: analysis.run_on === "external" ? "on your machine" : "in the sandbox",
                Runtime: shown(analysis.runtime),
                Script: shown(analysis.file_name) || "none",
                "Last run": <Ago at={analysis.last_run} />,
              }}
            />
            <Run analysis={analysis} reload={loaded.reload} />
            <section>
              <h2>Console</h2>
              <Content of={lines}>{(stored) => <ConsoleLines id={id} stored={stored} />}</Content>
            </section>
          </>
        )}
      </Content>
    </>
  );
}
