import { Component, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { InspectError, inspect, resourcesOf, type Session, type SessionReply } from "./api.ts";
import { ConsoleContext, useLiveState } from "./hooks.ts";
import { holdRenewal } from "./key.ts";
import { Live } from "./live.ts";
import { type Route, useRoute } from "./router.ts";
import { Shell } from "./shell.tsx";
import { isOfAccount, problem, UNANSWERED } from "./text.ts";
import { findView, homed, titleOf } from "./views/index.ts";

function Message({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <main className="message">
      <h1>{title}</h1>
      {children}
    </main>
  );
}

const NAME = isOfAccount ? "Console" : "Sandbox";

function SignedOut() {
  if (isOfAccount)
    return (
      <Message title="This page is for the user who started the console">
        <p>Its address works once, within a minute. Start it again in the terminal for another one.</p>
      </Message>
    );
  return (
    <Message title="This page is for the user who started the sandbox">
      <p>
        Run <code>iot sandbox open</code> in a terminal. It opens this page with a code that works once.
      </p>
    </Message>
  );
}

/** Bad data in one view leaves the others usable. */
class Guard extends Component<{ readonly children: ReactNode }, { readonly error?: unknown }> {
  override state: { readonly error?: unknown } = {};

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children;
    return (
      <div className="failure" role="alert">
        <h1>This view cannot be shown</h1>
        <p>{problem(this.state.error)}</p>
        <button type="button" onClick={() => this.setState({ error: undefined })}>
          Try again
        </button>
      </div>
    );
  }
}

/** The view of an address; its heading gets the focus when another one is opened. */
function View({ route, generation }: { readonly route: Route; readonly generation: number }) {
  const path = route.parts.join("/") || "devices";
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${titleOf(path)} · ${NAME}`;
    // Where it is scrolled to is up to the history.
    if (!isFirst.current) document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [path]);
  const Found = findView(route.parts);
  // This one replaces everything itself, and says so.
  const turn = path === "snapshots" ? 0 : generation;
  return (
    <Guard key={`${path} ${turn}`}>
      <Found route={route} />
    </Guard>
  );
}

/** The connection, as long as the page is open. */
function useConnection(live: Live): void {
  useEffect(() => {
    live.start();
    // The way to the sandbox may be gone, or back. On one machine it stays without a network: only a new connection shows it.
    const again = (): void => {
      if (live.state().kind !== "stopped") live.start();
    };
    for (const type of ["online", "offline"]) addEventListener(type, again);
    return () => {
      for (const type of ["online", "offline"]) removeEventListener(type, again);
      live.stop();
    };
  }, [live]);
}

export function App() {
  const [session, setSession] = useState<Session>();
  const route = homed(useRoute(), isOfAccount ? undefined : session?.source);
  const [failure, setFailure] = useState<unknown>();
  const [generation, setGeneration] = useState(0);
  const live = useMemo(() => new Live(), []);
  const state = useLiveState(live);

  const refresh = useCallback(() => {
    inspect<SessionReply>("GET", "session").then(({ renewal, ...found }) => {
      // A console of an account has no second run.
      if (!isOfAccount) holdRenewal(renewal);
      setSession(found);
      setFailure(undefined);
    }, setFailure);
  }, []);
  useEffect(
    () =>
      live.subscribe((events) => {
        const types = new Set(events.map(({ type }) => type));
        if (types.has("replaced") || types.has("clock") || types.has("reconnected")) refresh();
        // After a reset or a restored snapshot every view starts again.
        if (types.has("replaced")) setGeneration((count) => count + 1);
      }),
    [live, refresh],
  );

  // Below the subscription, which reads nothing: `live` takes later ones for views that have read already.
  useConnection(live);
  useEffect(refresh, [refresh]);

  const value = useMemo(
    () => session && { session, resources: resourcesOf(session), live, refresh },
    [session, live, refresh],
  );
  const isSignedOut = state.kind === "signed-out" || (failure instanceof InspectError && failure.status === 401);
  if (isSignedOut) return <SignedOut />;
  if (value === undefined)
    return failure === undefined ? (
      <Message title={NAME}>
        <p role="status">Loading</p>
      </Message>
    ) : (
      <Message title={UNANSWERED}>
        <p role="alert">{problem(failure)}</p>
        <button type="button" onClick={refresh}>
          Try again
        </button>
      </Message>
    );
  return (
    <ConsoleContext value={value}>
      <Shell route={route}>
        <View route={route} generation={generation} />
      </Shell>
    </ConsoleContext>
  );
}
