import type { CommandWords } from './help-words.ts';

/** Shells that a script can be made for. */
export const SCRIPTS: Readonly<Record<string, (commands: readonly CommandWords[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

function bashScript(commands: readonly CommandWords[]): string {
  return `# signalbox completion bash: source it, or put it into ~/.local/share/bash-completion/completions/signalbox
_signalbox() {
  local current=\${COMP_WORDS[COMP_CWORD]} words=
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${commands.map(({ name }) => name).join(' ')} help --help --version"
  else
    case \${COMP_WORDS[1]} in
${commands.map((command) => `      ${command.name}) words="${all(command).join(' ')}" ;;`).join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  # What is no word of a command may be a file.
  if [ "\${#COMPREPLY[@]}" -eq 0 ]; then COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -o filenames -F _signalbox signalbox
`;
}

function zshScript(commands: readonly CommandWords[]): string {
  return `#compdef signalbox
# signalbox completion zsh: put it into a folder of $fpath, as _signalbox
_signalbox() {
  if (( CURRENT == 2 )); then
    local -a commands
    commands=(
${commands.map(({ name, summary }) => `      ${quoted(`${name}:${summary.replaceAll(':', '\\:')}`)}`).join('\n')}
    )
    _describe command commands
    return
  fi
  case $words[2] in
${commands.map((command) => `    ${command.name}) compadd -- ${all(command).join(' ')} ;;`).join('\n')}
  esac
  _files
}
compdef _signalbox signalbox
`;
}

function fishScript(commands: readonly CommandWords[]): string {
  const lines = commands.flatMap(({ name, summary, words, options }) => {
    const after = `complete -c signalbox -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c signalbox -f -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
      ...(words.length === 0 ? [] : [`${after} -a '${words.join(' ')}'`]),
      ...options.map((option) => `${after} -l ${option.slice(2)}`),
    ];
  });
  return `# signalbox completion fish: put it into ~/.config/fish/completions/signalbox.fish\n${lines.join('\n')}\n`;
}

function all({ words, options }: CommandWords): string[] {
  return [...words, ...options];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
