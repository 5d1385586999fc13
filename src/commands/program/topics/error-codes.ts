/** A stable word of a failure. */
export interface ErrorCode {
  readonly code: string;
  readonly exit: number;
  readonly meaning: string;
}

type Row = readonly [code: string, exit: number, meaning: string];

const usage: readonly Row[] = [
  ["usage.invalid", 2, "the command line cannot be carried out"],
  ["usage.unknown_command", 2, "there is no such command"],
  ["usage.unknown_topic", 2, "there is no such help topic"],
  ["usage.unknown_flag", 2, "the command has no such flag"],
  ["usage.unknown_field", 2, "--fields names a column there is not"],
  ["usage.missing_command", 2, "a noun without a verb"],
  ["usage.missing_argument", 2, "a required argument is not there"],
  ["usage.missing_value", 2, "a flag without its value"],
  ["usage.too_many_arguments", 2, "more arguments than the command takes"],
  ["usage.empty_value", 2, "a flag or argument is empty, as from a shell variable that is not set"],
  ["usage.env_file", 2, "--env-file, and this Node may read the file itself; --vars-file is for iot alone"],
  ["usage.invalid_value", 2, "a flag or argument cannot have this value"],
  ["usage.invalid_id", 2, "neither an id nor a form such as name:…"],
  ["usage.ambiguous_id", 2, "several things match"],
  ["usage.no_terminal", 2, "a value is missing, and there is no terminal to ask on"],
  ["usage.secret_value", 2, "a secret was given as the value of a flag"],
  ["usage.template", 2, "the --template text is wrong"],
  ["usage.jq", 2, "the --jq expression is wrong, or does not fit the result"],
  ["confirm.needed", 2, "the change needs --yes or --confirm"],
  ["confirm.wrong_name", 2, "--confirm names something else"],
  [
    "confirm.not_asked",
    70,
    "a bug: a command tried to change a protected environment without asking; nothing was sent",
  ],
  ["resume.nothing", 2, "--resume, and no interrupted run is known"],
  ["journal.in_use", 7, "another process works on the same batch, upload or migration"],
  ["state.locked", 7, "another process holds a file of settings for too long"],
  ["alias.not_found", 6, "there is no alias of this name"],
  ["env.unknown", 2, "there is no such environment"],
  ["auth.no_environment", 2, "there is no environment to keep a token for"],
  ["auth.not_a_token", 2, "what was given is no token"],
];

const data: readonly Row[] = [
  ["input.invalid", 3, "the data cannot be used; why says which part"],
  ["input.not_json", 3, "the text is not JSON"],
  ["input.not_readable", 3, "a row of the file is not of its format"],
  ["input.not_text", 3, "the file is not text in UTF-8"],
  ["input.not_found", 3, "there is no such file"],
  ["input.no_files", 3, "the pattern or folder leads to no file"],
  ["input.too_large", 3, "the text is larger than can be read at once"],
  ["input.too_deep", 3, "the JSON is nested too deeply"],
  ["input.changed", 7, "the file changed while it was read"],
  ["output.no_id", 3, "-o id, and the result has no id"],

  ["file.not_found", 3, "the file does not exist"],
  ["file.is_folder", 3, "a folder stands where a file is needed"],
  ["file.unreadable", 3, "the file cannot be read"],
  ["file.unwritable", 1, "the file cannot be written"],
  ["file.permission", 1, "the system does not allow it"],
  ["file.no_space", 1, "the disk, or your share of it, is full"],
  ["file.too_many", 1, "too many files are open"],
  ["file.exists", 7, "the file exists already"],
  ["file.in_the_way", 7, "a file that is not ours stands in the way"],
  ["file.format", 3, "the ending of the name is none that can be written"],
  ["file.checksum", 1, "the content is not what was sent or stored"],
  ["editor.failed", 1, "the editor could not be used"],
];

const settings: readonly Row[] = [
  ["config.invalid", 3, "a settings file has a wrong form"],
  ["config.not_json", 3, "a settings file is not JSON"],
  ["config.unknown_setting", 2, "there is no such setting; 3 where a file names it"],
  ["config.not_in_project", 3, "a project file may not hold this"],
  ["config.not_set", 6, "the setting has no value"],
  ["config.exists", 7, "the file is there already"],
  ["env.cleartext", 2, "a protected environment has an address of plain http"],
  ["env.exists", 7, "there is an environment of this name"],
];

const access: readonly Row[] = [
  ["auth.missing", 4, "there is no token"],
  ["auth.refused", 4, "the token is not accepted"],
  ["auth.expired", 4, "the stored token has expired"],
  ["auth.other_origin", 4, "the token was made for another address"],
  ["auth.keychain", 4, "the keychain of the operating system cannot be used"],
  ["auth.permission", 5, "the token may not do this"],
];

const platform: readonly Row[] = [
  ["not_found", 6, "the platform does not know what was asked for"],
  ["<noun>.not_found", 6, "there is no such device, dashboard, analysis ..."],
  ["<noun>.<part>_not_found", 6, "it has no such token, parameter, variable, member ..."],
  ["conflict", 7, "it changed meanwhile, or exists already"],
  ["limit.reached", 9, "a rate limit of the platform, still there after waiting"],
  ["limit.plan", 9, "a limit of the plan; waiting does not help"],
  ["network.failed", 10, "no answer: name, address, proxy or connection"],
  ["network.timeout", 10, "no answer in time"],
  ["network.maybe_sent", 10, "a change may have arrived, but its answer was lost; look before sending it again"],
  ["network.tls", 10, "the certificate was not accepted"],
  ["platform.refused", 1, "the platform refused for another reason"],
  ["platform.failed", 1, "the platform failed (5xx)"],
  ["platform.invalid_reply", 1, "the answer is not one of the platform"],
  ["reply.unexpected", 1, "the answer has a form it should not have"],
  ["batch.partial", 8, "some items failed; they were named"],
  ["stopped", 130, "Ctrl-C, or the answer no (143: a signal to end)"],
  ["closed_pipe", 0, "the reader of the output went away"],
  ["failed", 1, "anything else"],
  ["internal", 70, "a fault of this program; a report file is named"],
];

const devices: readonly Row[] = [
  ["device.token_not_found", 6, "the device has no such token"],
  ["device.param_not_found", 6, "the device has no such parameter"],
  ["device.exists", 7, "a device with this serial number or name exists already"],
  ["device.ambiguous", 7, "several devices have this serial number or name"],
  ["chunk.not_found", 6, "the device has no such chunk"],
  ["export.differs", 11, "the files and the platform hold different numbers of records"],
  ["import.differs", 11, "the devices hold another number of records than expected after the import"],
  ["wait.timeout", 10, "what was waited for did not come in time"],
  ["device.no_writing_token", 5, "the device has no token that may write"],
  ["lorawan.invalid_code", 3, "the text is no QR code of a LoRaWAN device"],
  ["recording.invalid", 3, "the file is no recording of a stream"],
];

const dashboards: readonly Row[] = [
  ["dashboard.changed", 7, "the dashboard changed since the plan was made"],
  ["dashboard_files.no_folder", 3, "there is no such folder"],
  ["dashboard_files.none", 3, "the folder holds no dashboard"],
  ["dashboard_files.invalid", 3, "a file of the folder cannot be used"],
  ["dashboard_files.unmapped", 3, "devices or analyses of the dashboard are not there"],
  ["dashboard.no_tab", 6, "the dashboard has no such tab"],
  ["migration.none", 7, "there is no interrupted migration"],
  ["migration.interrupted", 2, "one that was interrupted has to be ended first"],
  ["write.none", 7, "there is no interrupted import, apply or copy"],
  ["write.interrupted", 2, "one that was interrupted has to be ended first"],
  ["plan.unreadable", 3, "the plan cannot be read"],
  ["plan.invalid", 3, "the file is no plan"],
  ["plan.other_target", 7, "the plan is for another environment or profile"],
  ["snapshot.not_found", 6, "there is no such snapshot"],
  ["snapshot.invalid", 3, "the file is no snapshot"],
  ["snapshot.other_target", 7, "the snapshot was taken elsewhere"],
  ["widget.unknown_type", 3, "there is no such type of widget"],
  ["widget.no_widgets", 3, "the file holds no widgets"],
  ["widget.changed", 7, "the widget changed since the plan was made"],
  ["widget.no_button", 6, "the widget has no such button"],
  ["widget.gone", 7, "the widget is no longer there"],
];

const code: readonly Row[] = [
  ["analysis.failed", 1, "the run of the analysis ended with a failure"],
  ["analysis.dev_running", 7, "another program develops this analysis"],
  ["analysis.variable_not_found", 6, "the analysis has no such variable"],
  ["analysis.script_not_found", 6, "the analysis has no script"],
  ["bundle.failed", 3, "the script cannot be bundled"],
  ["analysis.no_token", 5, "the platform did not give the token of the analysis"],
  ["action.inactive", 1, "the action is switched off"],
  ["action.cannot_trigger", 1, "the platform has no request that fires the action"],
  ["network.no_token", 5, "the network has no token that may be used"],
  ["network.token_not_found", 6, "the network has no such token"],
  ["service_auth.token_not_found", 6, "the profile has no such service authorization"],
  ["pdf.failed", 1, "the service made no document"],
  ["pdf.invalid_reply", 1, "the service sent something that is no document"],
  ["package.missing", 1, "an optional package is not installed"],
];

const account: readonly Row[] = [
  ["mcp.read_only", 2, "the server was started for reading only"],
  ["mcp.too_large", 1, "the result is too large for one answer"],
  ["profile.not_found", 2, "the account has no such profile"],
  ["profile.token_not_found", 6, "the profile has no such token"],
  ["profile.member_not_found", 6, "the profile is not shared with that account"],
  ["profile.not_a_folder", 3, "the folder is not one that iot profile export wrote; 7 when it would be written to"],
  ["profile.invalid_files", 3, "a file of an exported profile cannot be used"],
  ["profile.audit_failed", 1, "the platform did not finish the search in the log of changes"],
  ["backup.failed", 1, "the platform could not make the backup"],
  ["backup.not_listed", 1, "the platform took the order and lists no new backup"],
  ["backup.not_ready", 10, "the backup was not complete in time"],
  ["backup.unknown_form", 3, "the backup has a form the program cannot read"],
  ["run.template_not_found", 6, "the portal has no such mail"],
  ["run.domain_not_found", 6, "the portal has no domain of its own"],
];

const content: readonly Row[] = [
  ["remote_file.not_found", 6, "the profile has no such file"],
  ["entity.no_field", 6, "the entity has no such field"],
  ["entity.no_index", 6, "the entity has no such index"],
  ["entity.no_fitting_index", 2, "no index gives rows by these filters and this order"],
  ["entity.no_row", 6, "the entity has no such row"],
  ["entity.invalid_rows", 3, "rows of the file do not fit the schema"],
  ["dictionary.no_language", 6, "the dictionary has no such language"],
  ["dictionary.missing_text", 3, "with --strict: expressions lead to no text"],
];

const sandbox: readonly Row[] = [
  ["sandbox.not_running", 6, "no sandbox runs there"],
  ["sandbox.no_data", 6, "the folder holds no sandbox"],
  ["sandbox.port", 7, "the port is in use"],
  ["sandbox.start", 1, "it did not start"],
  ["sandbox.stop", 1, "it did not stop in time"],
  ["sandbox.no_answer", 10, "it does not answer"],
  ["sandbox.refused", 1, "it refused the request"],
  ["sandbox.data", 1, "its folder cannot be used"],
  ["sandbox.not_an_export", 3, "the file is no export of a sandbox"],
];

/** Every code there is, by what it is about. */
export const errorCodes: readonly (readonly [area: string, codes: readonly ErrorCode[]])[] = (
  [
    ["The command line", usage],
    ["Data and files", data],
    ["Settings", settings],
    ["Access", access],
    ["The platform", platform],
    ["Devices", devices],
    ["Dashboards and widgets", dashboards],
    ["Code", code],
    ["Content", content],
    ["Account", account],
    ["Sandbox", sandbox],
  ] as const
).map(([area, rows]) => [area, rows.map(([word, exit, meaning]) => ({ code: word, exit, meaning }))]);
