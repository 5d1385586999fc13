import { lines, type Topic, terms, title } from "./blocks.ts";

export const sandbox: Topic = {
  name: "sandbox",
  summary: "a local platform for trying things out and testing",
  blocks: () => [
    "The sandbox is a server on this machine with the platform's API and event stream and a demo account. It is free and needs no account or network.",
    title("Commands"),
    terms([
      ["iot sandbox exec -- <command>", "run one command against a temporary sandbox"],
      ["iot sandbox start --use", "start in the background, as the current environment"],
      ["iot sandbox start", "start one; prints its address and tokens"],
      ["iot sandbox start --detach", "start in the background; prints shell variables"],
      ["iot sandbox open", "open its page in the browser"],
      ["iot sandbox reset", "reset it to its initial state"],
      ["iot sandbox fault|clock|limits", "inject faults, set the clock and rate limits"],
      ["iot sandbox logs", "show the request log, without tokens"],
      ["iot sandbox stop", "stop it"],
    ]),
    lines(
      "iot sandbox exec -- iot device list",
      "iot sandbox start --use",
      'iot device data send "name:Freezer 1" temperature=-18',
    ),
    "It listens on loopback only. start keeps its data in the state folder of the user, or in --data-dir, unless --ephemeral is given; exec keeps nothing. Programs that use the official SDK work with it when TAGOIO_API and TAGOIO_SSE contain its URLs; exec sets both.",
    "Tokens and passwords are random, so other users of the machine have no access; start prints them (with --use only if --reveal is given), exec sets them. --demo-tokens uses the published ones. Uploaded analyses run as processes of your user; use --no-scripts to disable this.",
    "The examples in the help of every command work with the demo account.",
  ],
};
