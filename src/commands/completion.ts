import { argument } from "./kit/arguments.ts";
import { usageError } from "./kit/command-error.ts";
import { defineCommand } from "./kit/define.ts";
import { nearest } from "./kit/nearest.ts";
import { quote } from "./kit/options.ts";

// Each script hands the words before the cursor to "iot __complete", which answers with lines of
// candidate, tab, summary. It asks nothing, needs no network and gives up after 300 ms.

const bash = `# iot completion for bash. Put it into ~/.bashrc:
#   source <(iot completion bash)
_iot_complete() {
  local line candidates=()
  local IFS=$'\\n'
  for line in $(iot __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null); do
    candidates+=("\${line%%$'\\t'*}")
  done
  COMPREPLY=("\${candidates[@]}")
}
complete -o default -o bashdefault -F _iot_complete iot
`;

const zsh = `#compdef iot
# iot completion for zsh. Put it into ~/.zshrc, after compinit:
#   source <(iot completion zsh)
_iot() {
  local line
  local -a found
  for line in "\${(@f)$(iot __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( \${#found} )); then _describe iot found; else _files; fi
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _iot "$@"; else compdef _iot iot; fi
`;

const fish = `# iot completion for fish. Put it into ~/.config/fish/config.fish:
#   iot completion fish | source
function __iot_complete
  set -l words (commandline -opc)
  iot __complete -- $words[2..-1] (commandline -ct) 2>/dev/null
end
complete -c iot -a '(__iot_complete)'
`;

const powershell = `# iot completion for PowerShell. Put it into your profile:
#   iot completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName iot -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  & iot __complete -- @words $wordToComplete 2>$null | ForEach-Object {
    $text, $summary = $_ -split "\`t", 2
    if (-not $summary) { $summary = $text }
    [System.Management.Automation.CompletionResult]::new($text, $text, 'ParameterValue', $summary)
  }
}
`;

const scripts: ReadonlyMap<string, string> = new Map([
  ["bash", bash],
  ["zsh", zsh],
  ["fish", fish],
  ["powershell", powershell],
]);

const completion = defineCommand({
  path: [],
  asks: "nothing",
  result: { shape: "text" },
  summary: "Print a completion script for a shell",
  args: [{ name: "shell", summary: "bash, zsh, fish or powershell", required: true }],
  examples: ["iot completion bash", "iot completion fish | source"],
  related: ["iot --help"],
  async run(ctx, input) {
    const shell = argument(input, "shell") ?? "";
    const script = scripts.get(shell);
    if (script === undefined) {
      const guess = nearest(shell, scripts.keys());
      throw usageError(`There is no completion for ${quote(shell)}.`, {
        code: "usage.invalid_value",
        why: `There is one for ${[...scripts.keys()].join(", ")}.`,
        next: guess === undefined ? 'Run "iot completion bash".' : `Did you mean "${guess}"?`,
      });
    }
    await ctx.out.raw(script);
  },
});

export const commands = [completion];
