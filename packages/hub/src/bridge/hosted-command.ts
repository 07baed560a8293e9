import { basename } from 'node:path';

/** What makes an agent talk to a host on its stdio, and ask it for permissions. */
export const HOSTED = [
  '-p',
  '--verbose',
  '--input-format=stream-json',
  '--output-format=stream-json',
  '--include-partial-messages',
  '--permission-prompt-tool=stdio',
];

/** Agents that take these options. */
const KNOWN = new Set(['claude', 'signalbox-agent', 'signalbox-agent.js']);

/** Who says one of these knows how the agent is to talk. */
const SAID = /^(?:-p|--print|--input-format(?:=.*)?|--sdk-url(?:=.*)?|-v|--version|-h|--help)$/;

/** A command as a bridge can use it: an agent that is only named would wait for a person at a terminal. */
export function hostedCommand(command: readonly string[]): string[] {
  const agent = command.findIndex((word, at) => isProgram(command, at) && KNOWN.has(basename(word)));
  const isBare = agent >= 0 && !command.slice(agent + 1).some((word) => SAID.test(word));
  return isBare ? [...command, ...HOSTED] : [...command];
}

/** Whether a word is what is run: the first one, one behind `--`, or the script that Node runs. */
function isProgram(command: readonly string[], at: number): boolean {
  const before = command[at - 1];
  return at === 0 || before === '--' || (basename(before ?? '') === 'node' && isProgram(command, at - 1));
}
