import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from "react";
import { inspect } from "../api.ts";
import { useLiveReload, useLoad } from "../hooks.ts";
import { isChange } from "../live.ts";
import { type FrameHost, hostFrame, type Protocol, pageAddress, type Theme } from "../pages/frame.ts";
import { Content } from "./basics.tsx";

const isDark = matchMedia("(prefers-color-scheme: dark)");

function listen(changed: () => void): () => void {
  addEventListener("themechange", changed);
  isDark.addEventListener("change", changed);
  return () => {
    removeEventListener("themechange", changed);
    isDark.removeEventListener("change", changed);
  };
}

/** The colors that the console has now. */
function themeNow(): Theme {
  const chosen = document.documentElement.dataset["theme"];
  return chosen === "dark" || (chosen !== "light" && isDark.matches) ? "dark" : "light";
}

export const useTheme = (): Theme => useSyncExternalStore(listen, themeNow);

interface FrameProps {
  readonly title: string;
  readonly protocol: Protocol;
  /** Is sent whenever it changes. */
  readonly news: object;
}

function Frame({ address, title, protocol, news }: FrameProps & { readonly address: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const host = useRef<FrameHost>(undefined);
  const onMessage = useEffectEvent(protocol);
  useEffect(() => {
    if (frame.current === null) return;
    const made = hostFrame({ frame: frame.current, protocol: (message, respond) => onMessage(message, respond) });
    host.current = made;
    // Once somebody listens. A later theme reaches the page as a message.
    frame.current.src = pageAddress(address, themeNow());
    return () => made.close();
  }, [address]);
  useEffect(() => host.current?.send(news), [news]);
  return <iframe ref={frame} title={title} sandbox="allow-scripts allow-forms" />;
}

interface PageFrameProps extends FrameProps {
  /** A file of the sandbox. */
  readonly profile: string;
  readonly path: string;
  /** Whose page it is: for another one, it is loaded again. */
  readonly viewer: string;
}

/** A file as a page that reaches nothing but the messages of the console. */
export function PageFrame({ profile, path, viewer, ...rest }: PageFrameProps) {
  const loaded = useLoad(`${profile} ${path} ${viewer}`, () =>
    inspect<{ readonly address: string }>("POST", "page", { profile, path }),
  );
  useLiveReload(loaded.reload, (event) => isChange(event, "file"));
  return <Content of={loaded}>{({ address }) => <Frame key={address} address={address} {...rest} />}</Content>;
}
