import { lines, type Topic, terms, title } from "./blocks.ts";

export const sandbox: Topic = {
  name: "sandbox",
  summary: "a local platform for trying, teaching and testing",
  blocks: () => [
    "The sandbox is a server on this machine that speaks the platform's API and its event stream, with a demo account inside. It needs no account and no network, and costs nothing.",
    title("To do"),
    terms([
      ["iot sandbox exec -- <command>", "run one command against a fresh one, and end with its exit code"],
      ["iot sandbox start", "keep one running; it prints its address and tokens"],
      ["iot sandbox start --detach", "in the background; prints variables for the shell"],
      ["iot sandbox open", "look inside in the browser"],
      ["iot sandbox reset", "back to its first state"],
      ["iot sandbox fault, clock, limits", "trouble, time and limits on demand"],
      ["iot sandbox logs", "what was asked, without tokens"],
      ["iot sandbox stop", "end it"],
    ]),
    lines(
      "iot sandbox exec -- iot device list",
      'eval "$(iot sandbox start --detach)"',
      'iot device data send "name:Freezer 1" temperature=-18',
    ),
    "It listens on loopback only and forgets everything at its end unless --data-dir names a folder. Programs that use the official SDK run against it once TAGOIO_API and TAGOIO_SSE name it; exec sets both.",
    "Tokens and passwords are random, so that other users of the machine get nothing; start prints them, exec sets them. --demo-tokens uses the published ones. Uploaded analyses run as programs of your user; --no-scripts turns that off.",
    "The examples in the help of every command run against the demo account as they stand.",
  ],
};
