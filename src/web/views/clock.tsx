import { useEffect, useState } from "react";
import { aboutField, type ClockState, inspect } from "../api.ts";
import { Content, Facts, Form, Heading, Input, Outcome } from "../components/basics.tsx";
import { type Doing, useConsole, useDoing, useLiveReload, useLoad } from "../hooks.ts";
import { moment, zone } from "../text.ts";

const HOUR_MS = 3_600_000;
const STEPS = [
  ["1 minute", 60_000],
  ["1 hour", HOUR_MS],
  ["1 day", 24 * HOUR_MS],
  ["1 week", 7 * 24 * HOUR_MS],
] as const;

/** The clock as it goes on, from when it was read. */
function useNow(state: ClockState | undefined): string {
  const [passedMs, setPassed] = useState(0);
  useEffect(() => {
    if (state === undefined || state.manual) return;
    const startMs = performance.now();
    setPassed(0);
    const timer = setInterval(() => setPassed(performance.now() - startMs), 1_000);
    return () => clearInterval(timer);
  }, [state]);
  if (state === undefined) return "";
  return moment(new Date(Date.parse(state.now) + (state.manual ? 0 : passedMs)));
}

interface SetClockProps {
  readonly state: ClockState;
  readonly doing: Doing;
  readonly move: (body: object, done: string) => void;
}

/** Sets the clock to a date, or back to the time of the machine. */
function SetClock({ state, doing, move }: SetClockProps) {
  const [date, setDate] = useState("");
  return (
    <section>
      <h2>Set</h2>
      <Form doing={doing} onSubmit={() => move({ set: new Date(date).toISOString() }, "The clock is set")}>
        <Input
          label={`Date and time in ${zone}`}
          name="set"
          type="datetime-local"
          value={date}
          onChange={setDate}
          required
        />
        <button type="submit" disabled={doing.isBusy}>
          Set the clock
        </button>
        <button
          type="button"
          disabled={doing.isBusy || state.manual}
          onClick={() => move({ reset: true }, "The clock shows the time of the machine")}
        >
          Back to the real time
        </button>
      </Form>
      <Outcome doing={doing} />
    </section>
  );
}

export function ClockView() {
  const { refresh } = useConsole();
  const loaded = useLoad("clock", () => inspect<ClockState>("GET", "clock"));
  useLiveReload(loaded.reload, ({ type }) => type === "clock");
  const doing = useDoing(loaded.reload);
  const now = useNow(loaded.data);
  const move = (body: object, done: string): void =>
    doing.act(() => inspect("PUT", "clock", body).then(refresh, aboutField("set")), done);
  return (
    <>
      <Heading
        title="Clock"
        about="The time of the sandbox. Actions with a schedule fire for the time that is passed over."
      />
      <Content of={loaded}>
        {(state) => (
          <>
            <Facts
              of={{
                [`Now in ${zone}`]: <strong className="now">{now}</strong>,
                Clock: state.manual ? "fixed: it moves only when you move it" : "running",
                ...(!state.manual && {
                  Ahead: `${Math.round((state.offset_ms ?? 0) / 1_000).toLocaleString("en-US")} s`,
                }),
              }}
            />
            <section>
              <h2>Advance</h2>
              <div className="row">
                {STEPS.map(([label, ms]) => (
                  <button
                    key={label}
                    type="button"
                    disabled={doing.isBusy}
                    onClick={() => move({ advance: ms }, `Advanced by ${label}`)}
                  >
                    {label}
                  </button>
                ))}
              </div>
            </section>
            <SetClock state={state} doing={doing} move={move} />
          </>
        )}
      </Content>
    </>
  );
}
