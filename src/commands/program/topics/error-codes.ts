/** A stable word of a failure. */
export interface ErrorCode {
  readonly code: string;
  readonly exit: number;
  readonly meaning: string;
}

type Row = readonly [code: string, exit: number, meaning: string];

const usage: readonly Row[] = [
  ["usage.invalid", 2, "invalid command line"],
  ["usage.unknown_command", 2, "unknown command"],
  ["usage.unknown_topic", 2, "unknown help topic"],
  ["usage.unknown_flag", 2, "unknown flag"],
  ["usage.unknown_field", 2, "unknown field in --fields"],
  ["usage.missing_command", 2, "the verb is missing"],
  ["usage.missing_argument", 2, "a required argument is missing"],
  ["usage.missing_value", 2, "a flag needs a value"],
  ["usage.too_many_arguments", 2, "too many arguments"],
  ["usage.empty_value", 2, "a flag or argument is empty, for example from an unset shell variable"],
  ["usage.env_file", 2, "this Node version may read --env-file itself; use --vars-file"],
  ["usage.invalid_value", 2, "invalid value of a flag or argument"],
  ["usage.invalid_id", 2, "not an id or a form such as name:…"],
  ["usage.ambiguous_id", 2, "several resources match"],
  ["usage.no_terminal", 2, "a value is missing and there is no terminal to prompt on"],
  ["usage.secret_value", 2, "a secret was given as a flag value"],
  ["usage.template", 2, "invalid --template"],
  ["usage.jq", 2, "the --jq expression is invalid or does not match the result"],
  ["confirm.needed", 2, "the change needs --yes or --confirm"],
  ["confirm.wrong_name", 2, "--confirm does not match"],
  [
    "confirm.not_asked",
    70,
    "a bug: a command tried to change a protected environment without confirmation; nothing was sent",
  ],
  ["resume.nothing", 2, "--resume without an interrupted run"],
  ["journal.in_use", 7, "another process is working on the same batch, upload or migration"],
  ["state.locked", 7, "another process has locked a settings file for too long"],
  ["alias.not_found", 6, "alias not found"],
  ["env.unknown", 2, "environment not found"],
  ["auth.no_environment", 2, "there is no environment to store a token for"],
  ["auth.not_a_token", 2, "not a token"],
];

const data: readonly Row[] = [
  ["input.invalid", 3, "invalid data; see why for the reason"],
  ["input.not_json", 3, "not valid JSON"],
  ["input.not_readable", 3, "a row of the file cannot be parsed"],
  ["input.not_text", 3, "the file is not UTF-8 text"],
  ["input.not_found", 3, "file not found"],
  ["input.no_files", 3, "no file matches the pattern or folder"],
  ["input.too_large", 3, "the input is too large"],
  ["input.too_deep", 3, "the JSON is nested too deeply"],
  ["input.changed", 7, "the file changed while it was being read"],
  ["output.no_id", 3, "-o id, but the result has no id"],

  ["file.not_found", 3, "the file does not exist"],
  ["file.is_folder", 3, "a folder instead of a file"],
  ["file.unreadable", 3, "the file cannot be read"],
  ["file.unwritable", 1, "the file cannot be written"],
  ["file.permission", 1, "permission denied by the system"],
  ["file.no_space", 1, "the disk is full or the quota exceeded"],
  ["file.too_many", 1, "too many files are open"],
  ["file.exists", 7, "the file already exists"],
  ["file.in_the_way", 7, "an unrelated file is in the way"],
  ["file.format", 3, "unsupported file extension"],
  ["file.checksum", 1, "checksum mismatch"],
  ["editor.failed", 1, "the editor failed"],
];

const settings: readonly Row[] = [
  ["config.invalid", 3, "a settings file is invalid"],
  ["config.not_json", 3, "a settings file is not JSON"],
  ["config.unknown_setting", 2, "unknown setting; 3 if it is in a file"],
  ["config.not_in_project", 3, "not allowed in a project file"],
  ["config.not_set", 6, "the setting has no value"],
  ["config.exists", 7, "the file already exists"],
  ["env.cleartext", 2, "a protected environment needs an https URL"],
  ["env.exists", 7, "the environment already exists"],
];

const access: readonly Row[] = [
  ["auth.missing", 4, "no token"],
  ["auth.refused", 4, "the token was rejected"],
  ["auth.expired", 4, "the stored token has expired"],
  ["auth.other_origin", 4, "the token was created for another address"],
  ["auth.keychain", 4, "the system keychain is not available"],
  ["auth.permission", 5, "the token lacks the permission"],
];

const platform: readonly Row[] = [
  ["not_found", 6, "the requested resource was not found"],
  ["<noun>.not_found", 6, "device, dashboard, analysis ... not found"],
  ["<noun>.<part>_not_found", 6, "token, parameter, variable, member ... not found"],
  ["conflict", 7, "it changed in the meantime, or already exists"],
  ["limit.reached", 9, "rate limit, still exceeded after waiting"],
  ["limit.plan", 9, "plan limit; waiting does not help"],
  ["network.failed", 10, "no response: host name, address, proxy or connection"],
  ["network.timeout", 10, "response timed out"],
  ["network.maybe_sent", 10, "a change may have been made, but its response was lost; check before retrying"],
  ["network.tls", 10, "invalid certificate"],
  ["platform.refused", 1, "the platform rejected the request for another reason"],
  ["platform.failed", 1, "server error of the platform (5xx)"],
  ["platform.invalid_reply", 1, "the response is not from the platform"],
  ["reply.unexpected", 1, "the response has an unexpected form"],
  ["batch.partial", 8, "some items failed; see the warnings"],
  ["stopped", 130, "stopped by Ctrl-C or not confirmed (143: termination signal)"],
  ["closed_pipe", 0, "the reader of the output closed the pipe"],
  ["failed", 1, "anything else"],
  ["internal", 70, "internal error; the message gives the path of a report"],
];

const devices: readonly Row[] = [
  ["device.token_not_found", 6, "device token not found"],
  ["device.param_not_found", 6, "device parameter not found"],
  ["device.exists", 7, "a device with this serial number or name already exists"],
  ["device.ambiguous", 7, "several devices have this serial number or name"],
  ["chunk.not_found", 6, "chunk not found"],
  ["export.differs", 11, "record counts of files and platform do not match"],
  ["import.differs", 11, "record counts after the import do not match"],
  ["copy.differs", 11, "records of a copied or converted device do not match"],
  ["wait.timeout", 10, "timed out while waiting"],
  ["device.no_writing_token", 5, "the device has no token with write permission"],
  ["lorawan.invalid_code", 3, "not a LoRaWAN device QR code"],
  ["parser.failed", 3, "the payload parser failed, or left something other than valid records"],
  ["parser.syntax", 3, "the payload parser is not a valid script"],
  ["parser.no_function", 3, "the payload parser defines no decoder function"],
  ["parser.too_long", 3, "the payload parser is longer than the platform takes"],
  ["parser.invalid_payload", 3, "the payload is neither hexadecimal nor JSON"],
  ["parser.invalid_case", 3, "a file in a folder of test cases cannot be used"],
  ["parser.no_script", 3, "no parser.js or parser.ts for a test case"],
  ["recording.invalid", 3, "the file is not a stream recording"],
];

const jobs: readonly Row[] = [
  ["queue.missing", 2, "no queue is named: --queue or IOT_QUEUE"],
  ["queue.no_key", 2, "a queue on another machine needs IOT_QUEUE_KEY"],
  ["queue.weak_key", 2, "the key of the queue has fewer than 32 characters"],
  ["queue.not_installed", 1, "the packages for queues are not installed"],
  ["queue.unreachable", 10, "the queue cannot be reached, or rejects the user"],
  ["queue.no_profile", 5, "the token may not read which profile it is of"],
  ["job.not_found", 6, "no such job in the queue"],
  ["job.ended", 7, "the job has ended already"],
  ["job.unfinished", 7, "--again for a job that has not ended"],
  ["job.foreign", 7, "the job in the queue is of another version, or not signed with this key"],
  ["job.incomplete", 1, "the queue holds fewer items than were planned"],
  ["job.partial", 8, "some items of a job failed; see its report"],
  ["job.failed", 1, "the job failed as a whole"],
  ["job.cancelled", 1, "the job was cancelled"],
  ["job.no_tokens", 2, "new tokens must not enter a queue"],
  ["job.bad_path", 3, "an item names a path outside of the job's folder"],
  ["worker.no_folder", 4, "the folder of a job does not exist on the worker's machine"],
  ["dataset.files_missing", 1, "files of a dataset are not where the workers wrote them"],
];

const dashboards: readonly Row[] = [
  ["dashboard.changed", 7, "the dashboard changed since the plan was made"],
  ["dashboard_files.no_folder", 3, "folder not found"],
  ["dashboard_files.none", 3, "the folder contains no dashboard"],
  ["dashboard_files.invalid", 3, "a file in the folder is invalid"],
  ["dashboard_files.unmapped", 3, "devices or analyses of the dashboard were not found"],
  ["dashboard.no_tab", 6, "tab not found"],
  ["migration.none", 7, "there is no interrupted migration"],
  ["migration.interrupted", 2, "finish the interrupted one first"],
  ["write.none", 7, "there is no interrupted import, apply or copy"],
  ["write.interrupted", 2, "finish the interrupted one first"],
  ["plan.unreadable", 3, "the plan is not readable"],
  ["plan.invalid", 3, "the file is not a plan"],
  ["plan.changed", 7, "the files or the profile changed since the plan was made"],
  ["plan.other_target", 7, "the plan is for another environment or profile"],
  ["snapshot.not_found", 6, "snapshot not found"],
  ["snapshot.invalid", 3, "the file is not a snapshot"],
  ["snapshot.other_target", 7, "the snapshot is from another environment"],
  ["widget.unknown_type", 3, "unknown widget type"],
  ["widget.no_widgets", 3, "the file contains no widgets"],
  ["widget.changed", 7, "the widget changed since the plan was made"],
  ["widget.no_button", 6, "button not found"],
  ["widget.gone", 7, "the widget no longer exists"],
];

const code: readonly Row[] = [
  ["analysis.failed", 1, "the analysis run failed"],
  ["analysis.dev_running", 7, "another dev session is running for this analysis"],
  ["analysis.variable_not_found", 6, "environment variable not found"],
  ["analysis.script_not_found", 6, "the analysis has no script"],
  ["analysis.version_not_found", 6, "the analysis has no such version of its script"],
  ["analysis.runtime_missing", 1, "the program that runs the script, Deno or Python, is not installed"],
  ["bundle.failed", 3, "the script cannot be bundled"],
  ["analysis.no_token", 5, "the platform did not return the analysis token"],
  ["action.inactive", 1, "the action is disabled"],
  ["action.cannot_trigger", 1, "the platform cannot trigger this action on request"],
  ["network.no_token", 5, "the network has no usable token"],
  ["network.token_not_found", 6, "network token not found"],
  ["service_auth.token_not_found", 6, "service authorization not found"],
  ["pdf.failed", 1, "the service created no document"],
  ["pdf.invalid_reply", 1, "the service did not return a PDF document"],
  ["package.missing", 1, "an optional package is not installed"],
];

const account: readonly Row[] = [
  ["mcp.read_only", 2, "the server is read-only"],
  ["mcp.not_served", 2, "the tool is not in the toolset of the server"],
  ["mcp.too_large", 1, "the result is too large"],
  ["profile.not_found", 2, "profile not found"],
  ["profile.token_not_found", 6, "profile token not found"],
  ["profile.member_not_found", 6, "the profile is not shared with that account"],
  ["profile.not_a_folder", 3, "the folder is not an exported profile; 7 if it is the output folder"],
  ["profile.invalid_files", 3, "a file of an exported profile is invalid"],
  ["profile.conflict", 7, "resources of the profile changed meanwhile, or cannot become what the files say"],
  ["profile.audit_failed", 1, "the audit log search did not finish"],
  ["backup.failed", 1, "the platform could not create the backup"],
  ["backup.not_listed", 1, "the platform accepted the request but lists no new backup"],
  ["backup.not_ready", 10, "the backup was not complete in time"],
  ["backup.unknown_form", 3, "unsupported backup format"],
  ["run.template_not_found", 6, "email template not found"],
  ["run_user.exists", 7, "a portal user with this email address already exists"],
  ["run_user.not_invited", 3, "the user was created, but the platform refused to send the email"],
  ["run.domain_not_found", 6, "the portal has no custom domain"],
];

const content: readonly Row[] = [
  ["remote_file.not_found", 6, "file not found in the profile"],
  ["entity.no_field", 6, "field not found"],
  ["entity.no_index", 6, "index not found"],
  ["entity.no_fitting_index", 2, "no index supports these filters and this order"],
  ["entity.no_row", 6, "row not found"],
  ["entity.invalid_rows", 3, "rows of the file do not match the schema"],
  ["dictionary.no_language", 6, "language not found"],
  ["dictionary.missing_text", 3, "with --strict: expressions without a translation"],
];

const sandbox: readonly Row[] = [
  ["sandbox.not_running", 6, "no sandbox is running"],
  ["sandbox.no_data", 6, "the folder contains no sandbox"],
  ["sandbox.port", 7, "the port is in use"],
  ["sandbox.start", 1, "it did not start"],
  ["sandbox.stop", 1, "it did not stop in time"],
  ["sandbox.no_answer", 10, "it does not respond"],
  ["sandbox.refused", 1, "it rejected the request"],
  ["sandbox.data", 1, "its data folder cannot be used"],
  ["sandbox.seed", 3, "the scenario or folder for its content cannot be used"],
  ["sandbox.not_an_export", 3, "the file is not a sandbox export"],
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
    ["Jobs and queues", jobs],
    ["Dashboards and widgets", dashboards],
    ["Code", code],
    ["Content", content],
    ["Account", account],
    ["Sandbox", sandbox],
  ] as const
).map(([area, rows]) => [area, rows.map(([word, exit, meaning]) => ({ code: word, exit, meaning }))]);
