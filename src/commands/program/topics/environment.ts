import { settingSpecs } from "../../kit/settings/settings.ts";
import { lines, type Topic, terms, title } from "./blocks.ts";

export const environment: Topic = {
  name: "environment",
  summary: "settings, files, variables",
  blocks: () => [
    "An environment is a named set of connection settings on this machine:",
    lines("iot env add prod --region us-e1 --protected", "iot env use prod"),
    title("Protected environments"),
    "Before a command changes anything in an environment added with --protected, it asks for the environment name. Without a terminal, pass the name with --confirm; --yes is not enough:",
    lines('iot -e prod device create --name "Pump 3" --confirm prod'),
    "Read-only commands, commands that change only this machine, and --dry-run do not ask. The command's own questions follow as y/N; --confirm answers them, too. Questions show environment and profile: prod (Acme).",
    title("Precedence of settings"),
    'First match wins: flag, variable, project file (nearest iot.config.json, up to the repository root), user file, default. "iot config list --origin" shows each value and its source.',
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
      ["IOT_API_URL, IOT_EVENTS_URL", "platform URLs"],
      ["IOT_CONFIG_DIR", "folder for user settings"],
      ["IOT_NO_UPDATE_CHECK", "do not check for new versions"],
      ["IOT_SINK_PASSWORD", "of iot stream --to; also _USER, _TOKEN"],
      ["ACCESSIBLE", "same as IOT_ACCESSIBLE"],
      ["PAGER", "same as IOT_PAGER, which takes precedence"],
      ["NO_COLOR, FORCE_COLOR, TERM, CI", "as usual; CI also disables prompts"],
      ["HTTPS_PROXY, HTTP_PROXY, NO_PROXY", "proxy"],
      ["NODE_EXTRA_CA_CERTS", "additional certificate authorities"],
      ["TAGOIO_API, TAGOIO_SSE, T_ANALYSIS_TOKEN", "platform variables, lowest precedence"],
      [
        "TAGOIO_REQUEST_TIMEOUT, TAGOIO_REQUEST_ATTEMPTS",
        "of the library: milliseconds, attempts; --timeout and --retries come first",
      ],
    ]),
    "A project file may contain env, analyses, dashboards, check and defaults, but no credentials and no URLs that would receive them. Files of KEY=value lines are read only with --vars-file and can set only the variables above, except IOT_PAGER, PAGER and NODE_EXTRA_CA_CERTS.",
  ],
};
