import { settingSpecs } from "../../kit/settings/settings.ts";
import { lines, type Topic, terms, title } from "./blocks.ts";

export const environment: Topic = {
  name: "environment",
  summary: "settings, files, variables",
  blocks: () => [
    "An environment is a named set of connection settings on this machine:",
    lines("iot env add prod --region us-e1 --protected", "iot env use prod"),
    title("Protected environments"),
    "Before a command changes anything in an environment added with --protected, it asks for the name of the environment. Without a terminal the name is given with --confirm; --yes is not enough:",
    lines('iot -e prod device create --name "Pump 3" --confirm prod'),
    "Commands that only read, or change only this machine, and --dry-run do not ask. The questions of the command itself come after it, as y/N; --confirm answers them too. Questions name environment and profile: prod (Acme).",
    title("Where settings come from"),
    'Settings are taken from, first match: flag, variable, project file (iot.config.json, nearest upwards, up to the root of the repository), user file, default. "iot config list --origin" shows each value and where it came from.',
    title("Settings"),
    terms(
      settingSpecs.map(({ name, summary, variable }) => [
        name,
        variable === undefined ? summary : `${summary} [${variable}]`,
      ]),
    ),
    title("More variables"),
    terms([
      ["IOT_TOKEN", "token to use"],
      ["IOT_REGION", "region: us-e1 or eu-w1"],
      ["IOT_API_URL, IOT_EVENTS_URL", "addresses of the platform"],
      ["IOT_CONFIG_DIR", "folder of the user's files"],
      ["IOT_NO_UPDATE_CHECK", "do not look for newer versions"],
      ["ACCESSIBLE", "as IOT_ACCESSIBLE"],
      ["PAGER", "as IOT_PAGER, which goes first"],
      ["NO_COLOR, FORCE_COLOR, TERM, CI", "as everywhere; CI also means: never prompt"],
      ["HTTPS_PROXY, HTTP_PROXY, NO_PROXY", "proxy"],
      ["NODE_EXTRA_CA_CERTS", "further certificate authorities"],
      ["TAGOIO_API, TAGOIO_SSE, T_ANALYSIS_TOKEN", "the platform's own, read last"],
      [
        "TAGOIO_REQUEST_TIMEOUT, TAGOIO_REQUEST_ATTEMPTS",
        "of the library: milliseconds, and attempts including the first; --timeout and --retries go first",
      ],
    ]),
    "A project file may hold env, analyses, dashboards and defaults. It can hold neither a credential nor an address that would receive one. Files of KEY=value lines are read only with --vars-file, and set no other variables than those above; IOT_PAGER, PAGER and NODE_EXTRA_CA_CERTS are left out.",
  ],
};
