import { type ReactNode, useEffect, useState } from "react";
import { countOf } from "../text/count.ts";
import type { AccountSession } from "./api.ts";
import { State, type Tone } from "./components/basics.tsx";
import { PaletteButton } from "./components/palette-button.tsx";
import { ThemeSwitch } from "./components/theme-switch.tsx";
import { isFullScreen } from "./full-screen.ts";
import { useConsole, useLive, useLiveState } from "./hooks.ts";
import type { LiveState } from "./live.ts";
import { href, type Route } from "./router.ts";
import { isOfAccount, shown, zone } from "./text.ts";
import { groups, titleOf } from "./views/index.ts";

function liveWords(state: LiveState): readonly [Tone, string] {
  switch (state.kind) {
    case "live":
      return ["good", "Live"];
    case "behind":
      return ["warn", "Out of date"];
    case "waiting":
      return ["warn", `${navigator.onLine ? "Reconnecting" : "Offline, reconnecting"} in ${state.seconds} s`];
    case "stopped":
      return ["plain", "Stopped"];
    default:
      return ["warn", "Connecting"];
  }
}

function LiveSwitch() {
  const { live } = useConsole();
  const state = useLiveState(live);
  const [tone, words] = liveWords(state);
  const isStopped = state.kind === "stopped";
  // The seconds count on the screen only: a screen reader announces the state.
  const said = state.kind === "waiting" ? "Reconnecting" : words;
  return (
    <>
      <State tone={tone}>{words}</State>
      <span role="status" className="unseen">
        {said}
      </span>
      <button type="button" onClick={() => (isStopped ? live.start() : live.stop())}>
        {isStopped ? "Start live data" : "Stop live data"}
      </button>
    </>
  );
}

function Navigation({ route, onChosen }: { readonly route: Route; readonly onChosen: () => void }) {
  const current = route.parts[0] ?? "devices";
  return (
    <nav aria-label="Views" id="views">
      {groups.map(({ title, views }) => (
        <section key={title}>
          <h2 className="group">{title}</h2>
          <ul>
            {views.map((name) => (
              <li key={name}>
                <a href={href([name])} aria-current={name === current ? "page" : undefined} onClick={onChosen}>
                  {titleOf(name)}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

/** What the console of an account may do, and what it has used. */
function AccountState({ capabilities }: Pick<AccountSession, "capabilities">) {
  const [used, setUsed] = useState(capabilities.requests);
  useLive((events) => {
    for (const event of events) if (event.type === "used") setUsed(event.requests);
  });
  return (
    <>
      {capabilities.writes ? <State tone="bad">Can write</State> : <State tone="plain">Read-only</State>}
      <span className="optional">{countOf(used, "request")}</span>
    </>
  );
}

/** What a dashboard alone has of the frame: what is wrong with the connection. */
function BareState() {
  const { live } = useConsole();
  const [tone, words] = liveWords(useLiveState(live));
  return tone === "good" ? null : <State tone={tone}>{words}</State>;
}

interface TopProps {
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
}

function Top({ isOpen, setOpen }: TopProps) {
  const { session } = useConsole();
  return (
    <header className="top">
      <button
        type="button"
        className="menu"
        aria-expanded={isOpen}
        aria-controls="views"
        onClick={() => setOpen(!isOpen)}
      >
        Menu
      </button>
      <p className="brand">
        {isOfAccount ? (
          <strong>{shown(session.source, 60)}</strong>
        ) : (
          <>
            <strong>Sandbox</strong>{" "}
            <span className="optional">
              iotdeck {session.version}, {shown(session.source, 40)}
            </span>
          </>
        )}
      </p>
      <PaletteButton />
      <div className="row">
        {session.capabilities === undefined ? (
          <>
            {session.strict && <State tone="warn">Strict mode</State>}
            {session.clock.manual && <State tone="warn">Fixed clock</State>}
          </>
        ) : (
          <AccountState capabilities={session.capabilities} />
        )}
        <LiveSwitch />
        <ThemeSwitch />
      </div>
    </header>
  );
}

/** The frame around every view; none around a dashboard that is shown alone. */
export function Shell({ route, children }: { readonly route: Route; readonly children: ReactNode }) {
  const { session } = useConsole();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const close = ({ key }: KeyboardEvent): void => {
      if (key === "Escape") setOpen(false);
    };
    addEventListener("keydown", close);
    return () => removeEventListener("keydown", close);
  }, []);
  const skip = (): void => document.querySelector<HTMLElement>("main h1")?.focus();
  const isBare = isFullScreen(route);
  return (
    <div
      className={`${isBare ? "bare" : "shell"}${isOpen ? " open" : ""}${session.capabilities?.writes ? " writes" : ""}`}
    >
      {!isBare && (
        <button type="button" className="skip" onClick={skip}>
          Skip to the content
        </button>
      )}
      {isBare ? <BareState /> : <Top isOpen={isOpen} setOpen={setOpen} />}
      {isBare && <PaletteButton isShown={false} />}
      {!isBare && <Navigation route={route} onChosen={() => setOpen(false)} />}
      <main>
        {children}
        {!isBare && (
          <footer>
            Times are in {zone}.{isOfAccount && " Drawn by iotdeck; the platform may draw some widgets differently."}
          </footer>
        )}
      </main>
    </div>
  );
}
