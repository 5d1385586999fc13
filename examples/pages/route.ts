// A custom widget without packages: the last values of its sources, and a button that sends one.

interface Row {
  readonly variable: string;
  readonly value?: string | number | boolean;
  readonly unit?: string;
}

interface Message {
  readonly widget?: {
    readonly label?: string;
    readonly display: { readonly variables: readonly { readonly origin: { readonly id: string } }[] };
  };
  readonly realtime?: readonly { readonly result: readonly Row[] }[];
  readonly key?: string;
  readonly status?: boolean;
  readonly message?: string;
}

const root = document.getElementById("root") ?? document.body;
const title = document.createElement("h1");
const list = document.createElement("ul");
const send = document.createElement("button");
const status = document.createElement("p");
status.setAttribute("role", "status");
send.textContent = "Send speed 0";
root.append(title, list, send, status);

let device: string | undefined;

/** Values come from devices: they are set as text. */
function show(rows: readonly Row[]): void {
  const items = rows.map(({ variable, value = "", unit = "" }) => {
    const item = document.createElement("li");
    item.textContent = `${variable}: ${value} ${unit}`.trim();
    return item;
  });
  list.replaceChildren(...items);
}

addEventListener("message", ({ source, data }: MessageEvent<Message>) => {
  if (source !== parent) return;
  if (data.widget !== undefined) {
    title.textContent = data.widget.label ?? "";
    device = data.widget.display.variables[0]?.origin.id;
  }
  if (data.realtime !== undefined) show(data.realtime.flatMap(({ result }) => result));
  if (data.key !== undefined) status.textContent = data.status ? "Sent" : (data.message ?? "");
});

send.addEventListener("click", () => {
  const variables = [{ variable: "speed", value: 0, unit: "km/h", origin: device }];
  parent.postMessage({ method: "send", key: String(performance.now()), variables }, "*");
});

parent.postMessage({ loaded: true }, "*");
