// Each script passes the words before the cursor to "iot __complete", which prints lines of candidate, tab, summary, or
// ":files". It never asks and stops after 300 ms. Candidates may come from the platform, so each script makes sure
// that a name stays one word and nothing in it is run.

const bash = `# iot completion for bash. Put it into ~/.bashrc:
#   source <(iot completion bash)
_iot_complete() {
  local IFS=$'\\n' i n=0 part rest=\${COMP_LINE:0:COMP_POINT} line text quote="" breaks="" prefix="" words=()
  COMPREPLY=()
  if [[ -z $COMP_LINE ]]; then
    words=("\${COMP_WORDS[@]:0:COMP_CWORD+1}")
    n=$COMP_CWORD
  else
    # Bash cuts words at : and = too; here they are put together again.
    for ((i = 0; i <= COMP_CWORD; i++)); do
      part=\${COMP_WORDS[i]}
      if [[ $i -gt 0 && $rest == [[:space:]]* ]]; then n=$((n + 1)); fi
      rest=\${rest#"\${rest%%[![:space:]]*}"}
      if [[ $i -eq $COMP_CWORD ]]; then part=$rest; fi
      words[n]=\${words[n]}$part
      rest=\${rest#"$part"}
    done
  fi
  case \${words[n]} in
    \\"*) quote='"' ;;
    \\'*) quote="'" ;;
  esac
  for ((i = 1; i <= n; i++)); do
    text=\${words[i]//[\\"\\']/}
    words[i]=\${text//\\\\/}
  done
  # What stands before the last : or = is not replaced by bash, unless the word is between quotes.
  if [[ -n $COMP_LINE && -z $quote ]]; then
    [[ $COMP_WORDBREAKS == *:* ]] && breaks=:
    [[ $COMP_WORDBREAKS == *=* ]] && breaks=$breaks=
    [[ -n $breaks ]] && prefix=\${words[n]%"\${words[n]##*[$breaks]}"}
  fi
  while read -r line; do
    if [[ $line == :files ]]; then
      compopt -o default 2>/dev/null || COMPREPLY=($(compgen -f -- "\${words[n]}"))
      return
    fi
    text=\${line%%$'\\t'*}
    text=\${text#"$prefix"}
    if [[ -n $quote ]]; then
      case $text in *[\\"\\'\\\\\\$\\\`!]*) continue ;; esac
    else
      case $text in *[!A-Za-z0-9_.,:/=@%+-]*) printf -v text %q "$text" ;; esac
    fi
    COMPREPLY+=("$text")
  done < <(iot __complete -- "\${words[@]:1:n}" 2>/dev/null)
  # A value follows: no blank.
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -F _iot_complete iot
`;

const zsh = `#compdef iot
# iot completion for zsh. Put it into ~/.zshrc, after compinit:
#   source <(iot completion zsh)
_iot() {
  local line
  local -a found
  for line in "\${(@f)$(iot __complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}"; do
    if [[ $line == :files ]]; then _files; return; fi
    [[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  (( \${#found} )) && _describe iot found
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _iot "$@"; else compdef _iot iot; fi
`;

const fish = `# iot completion for fish. Put it into ~/.config/fish/config.fish:
#   iot completion fish | source
function __iot_complete
  set -l words (commandline -opc)
  set -l typed (commandline -ct | string trim --left --chars '"\\'' | string replace --all '\\\\' '')
  set -l found (iot __complete -- $words[2..-1] "$typed" 2>/dev/null)
  if test "$found" = :files
    __fish_complete_path (commandline -ct)
  else
    printf '%s\\n' $found
  end
end
complete -c iot -f -a '(__iot_complete)'
`;

const powershell = `# iot completion for PowerShell. Put it into your profile:
#   iot completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName iot -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.ToString() } })
  $typed = $wordToComplete.Trim([char[]]@([char]39, [char]34))
  # Older versions leave out an empty argument.
  if ($typed -eq '' -and $PSVersionTable.PSVersion -lt [version]'7.3') { $typed = '""' }
  $found = @(& iot __complete -- @words $typed 2>$null)
  if ($found.Count -eq 1 -and $found[0] -eq ':files') {
    [System.Management.Automation.CompletionCompleters]::CompleteFilename($wordToComplete)
    return
  }
  $found | ForEach-Object {
    $text, $summary = $_ -split "\`t", 2
    if (-not $summary) { $summary = $text }
    $shown = $text
    if ($text -notmatch '^[\\w.,:/=%+-]+$' -or $text -match ',') { $text = "'" + $text.Replace("'", "''") + "'" }
    [System.Management.Automation.CompletionResult]::new($text, $shown, 'ParameterValue', $summary)
  }
}
`;

/** The scripts, by shell. */
export const scripts: ReadonlyMap<string, string> = new Map([
  ["bash", bash],
  ["zsh", zsh],
  ["fish", fish],
  ["powershell", powershell],
]);
