import { dirname, relative, resolve, sep } from 'node:path';
import { isFile, placesInPath } from '@signalbox/transport/stdio';

const NPM_PROGRAMS = ['node_modules', '.bin'].join(sep);

/**
 * How people call this program in any terminal of this machine: by its name where a shell finds that, by npx where npm
 * started it, else by its file; and for the data that is used here.
 */
export function ownCommand(env: NodeJS.ProcessEnv = process.env, file = process.argv[1] ?? ''): string {
  const home = env.SIGNALBOX_HOME ? `SIGNALBOX_HOME=${shellWord(resolve(env.SIGNALBOX_HOME))} ` : '';
  return `${home}${programName(env, file) ?? shellWord(resolve(file))}`;
}

/** A command of this program as it works in this terminal, with its variables: what people are told to do next. */
export function commandHere(words: string, env: NodeJS.ProcessEnv = process.env): string {
  const file = process.argv[1] ?? '';
  const short = relative(process.cwd(), file);
  const inside = short.startsWith('..') || !short.includes(sep) ? resolve(file) : short;
  return `${programName(env, file) ?? shellWord(inside)} ${words}`;
}

/** Undefined when only the path of its file leads to this program. */
function programName(env: NodeJS.ProcessEnv, file: string): string | undefined {
  // npm puts its own folders into the PATH of what it starts: a shell does not have them.
  const isByNpm = env.npm_execpath !== undefined;
  const places = placesInPath('signalbox', env).filter(
    (place) => !isByNpm || !dirname(place).endsWith(NPM_PROGRAMS),
  );
  if (file === '' || places.some(isFile)) return 'signalbox';
  return isByNpm && dirname(resolve(file)).endsWith(NPM_PROGRAMS) ? 'npx signalbox' : undefined;
}

/** A word as a shell takes it for one. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
