/** The bash script that asks `carabiner completion complete` for the words that may come next. */

/**
 * Nothing of what is offered is ever read by the shell as code: words are passed on as they are, quoted, and no word list is expanded. Works in the bash
 * 3.2 of macOS, and without the package bash-completion.
 */
export const BASH = `# Completion of carabiner for bash.
# Try it:   source <(carabiner completion bash)
# Keep it:  carabiner completion bash > ~/.local/share/bash-completion/completions/carabiner
#           or, without the package bash-completion, in ~/.bashrc: source <(carabiner completion bash)

_carabiner_complete() {
  COMPREPLY=()
  # COMP_WORDBREAKS splits --scope=user into three words: what belongs together is joined again.
  local words=() i word
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if ((\${#words[@]} > 0)) && [[ $word == [=:]* || \${COMP_WORDS[i-1]} == [=:] ]]; then
      words[\${#words[@]}-1]+=$word
    else
      words+=("$word")
    fi
  done
  local last=\${words[\${#words[@]}-1]} cut=0
  [[ $last == *[=:]* ]] && { cut=\${last%[=:]*}; cut=$((\${#cut} + 1)); }

  local line value
  while IFS= read -r line; do
    [[ $line == :* ]] && continue
    value=\${line%%$'\\t'*}
    # An option's value comes without the option: --scope=us is completed by user.
    if [[ $last == --*=* ]]; then
      COMPREPLY+=("$value")
    else
      COMPREPLY+=("\${value:cut}")
    fi
  done < <(carabiner completion complete -- "\${words[@]}" 2>/dev/null)
}
complete -o default -F _carabiner_complete carabiner
`;
