// The page around a dashboard page or a custom widget, for `iot dashboard dev` and `iot widget dev`.
import type { SQLResult, WidgetDataResult } from "../../index.ts";
import { enter, keyHeaders } from "../key.ts";
import { dashboardProtocol, themeMessage } from "./dashboard-protocol.ts";
import { type FrameEntry, type FrameHost, hostFrame, type Protocol, pageAddress, type Theme } from "./frame.ts";
import { realtimeMessage, type WidgetApi, widgetProtocol } from "./widget-protocol.ts";

/** What the page knows of its command. */
interface Session {
  readonly kind: "dashboard" | "widget";
  readonly title: string;
  readonly viewers: readonly string[];
  /** Index of the viewer it starts with. */
  readonly viewer: number;
  readonly theme: Theme;
  /** Path of the framed page. */
  readonly frame: string;
}

interface Outcome {
  readonly result?: unknown;
  /** The API's error. */
  readonly error?: { readonly status: number; readonly message: string };
}

const MAX_ENTRIES = 200;
const MAX_CHARS = 1_000;
/** How often the data of a widget are read again. */
const READ_MS = 3_000;

const element = <T extends HTMLElement>(id: string, type: new () => T): T => {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`#${id} is missing`);
  return found;
};

async function ask<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`/__sandbox/${path}`, {
    method,
    headers: { ...keyHeaders(), "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const reply: { readonly result?: T; readonly message?: unknown } = await response.json();
  if (!response.ok) throw new Error(String(reply.message));
  return reply.result as T;
}

/** Calls the platform through the command. */
async function call<T>(viewer: number, op: string, input: object = {}): Promise<T> {
  const { result, error } = await ask<Outcome>("POST", "call", { viewer, op, ...input });
  if (error !== undefined) throw Object.assign(new Error(error.message), { status: error.status });
  return result as T;
}

const log = element("log", HTMLOListElement);
// It scrolls, also with the keyboard.
log.tabIndex = 0;

function addEntry({ from, message }: FrameEntry): void {
  const item = document.createElement("li");
  const time = new Date().toLocaleTimeString("sv-SE");
  const isBad =
    message["ok"] === false || message["status"] === false || /^iot:(blocked|error)$/.test(String(message["type"]));
  const text =
    from === "frame" ? `${String(message["type"]).slice(4)} ${String(message["text"])}` : JSON.stringify(message);
  item.textContent = `${time} ${from}: ${text.slice(0, MAX_CHARS)}`;
  if (isBad) item.className = "bad";
  log.append(item);
  while (log.childElementCount > MAX_ENTRIES) log.firstElementChild?.remove();
  item.scrollIntoView({ block: "nearest" });
}

const problem = element("problem", HTMLParagraphElement);

function showProblem(text: string | undefined): void {
  problem.hidden = text === undefined;
  problem.textContent = text ?? "";
}

/** The frame with its page, one for every viewer and every version of the page. */
class Shown {
  readonly #session: Session;
  readonly #theme = element("theme", HTMLSelectElement);
  readonly #viewer = element("viewer", HTMLSelectElement);
  #host: FrameHost | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** The last data that a widget got. */
  #data = "";

  constructor(session: Session) {
    this.#session = session;
    document.title = session.title;
    element("title", HTMLHeadingElement).textContent = session.title;
    this.#viewer.append(...session.viewers.map((name, at) => new Option(name, String(at))));
    this.#viewer.value = String(session.viewer);
    this.#theme.value = session.theme;
    this.#viewer.addEventListener("change", () => this.load());
    this.#theme.addEventListener("change", () => this.#setTheme());
    element("reload", HTMLButtonElement).addEventListener("click", () => this.load());
    element("clear", HTMLButtonElement).addEventListener("click", () => log.replaceChildren());
    this.#applyTheme();
  }

  get #now(): Theme {
    return this.#theme.value === "dark" ? "dark" : "light";
  }

  #applyTheme(): void {
    document.documentElement.dataset["theme"] = this.#now;
  }

  #setTheme(): void {
    this.#applyTheme();
    if (this.#session.kind === "dashboard") this.#host?.send(themeMessage(this.#now));
    else this.load();
  }

  #protocol(viewer: number): Protocol {
    if (this.#session.kind === "dashboard") {
      const list = (): Promise<{ id: string; name?: string }[]> => call(viewer, "list");
      const run = (id: string, params: readonly object[]): Promise<SQLResult> => call(viewer, "run", { id, params });
      return dashboardProtocol({ list, run }, () => this.#now);
    }
    const read = async (): Promise<WidgetDataResult> => {
      const data = await call<WidgetDataResult>(viewer, "read");
      this.#data = JSON.stringify(data.content);
      return data;
    };
    const api: WidgetApi = {
      read,
      send: (rows) => call(viewer, "send", { rows }),
      edit: (rows) => call(viewer, "edit", { rows }),
      editResource: (rows) => call(viewer, "edit-resource", { rows }),
      remove: (ids) => call(viewer, "delete", { ids }),
    };
    return widgetProtocol(api, () => void this.#readAgain(viewer));
  }

  async #readAgain(viewer: number): Promise<void> {
    const before = this.#data;
    const host = this.#host;
    const data = await call<WidgetDataResult>(viewer, "read").catch(() => undefined);
    const text = JSON.stringify(data?.content);
    if (data === undefined || before === "" || text === this.#data || host !== this.#host) return;
    this.#data = text;
    host?.send(realtimeMessage(data));
  }

  load(): void {
    clearInterval(this.#timer);
    this.#host?.close();
    this.#data = "";
    const viewer = Number(this.#viewer.value);
    const frame = document.createElement("iframe");
    frame.title = this.#session.title;
    frame.setAttribute("sandbox", "allow-scripts allow-forms");
    frame.src = pageAddress(this.#session.frame, this.#now);
    element("place", HTMLElement).replaceChildren(frame);
    this.#host = hostFrame({ frame, protocol: this.#protocol(viewer), log: addEntry });
    if (this.#session.kind === "widget") this.#timer = setInterval(() => void this.#readAgain(viewer), READ_MS);
  }
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Loads the page again whenever its file has changed. */
async function follow(shown: Shown): Promise<void> {
  let version = 0;
  for (;;) {
    try {
      const next = await ask<{ version: number; problem?: string }>("GET", `changes/${version}`);
      showProblem(next.problem);
      if (next.version !== version && next.problem === undefined) shown.load();
      version = next.version;
    } catch (error) {
      showProblem(error instanceof TypeError ? "The command has ended: start it again." : String(error));
      await wait(1_000);
    }
  }
}

// The page in the frame wanted to leave it.
addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
  addEntry({ from: "frame", message: { type: "iot:blocked", text: `${effectiveDirective} ${blockedURI}` } });
});

if (!(await enter().catch(() => false))) {
  try {
    const session = await ask<Session>("GET", "session");
    await follow(new Shown(session));
  } catch (error) {
    showProblem(error instanceof Error ? error.message : String(error));
  }
}
