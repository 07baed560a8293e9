import { loadSession } from '../../src/session/load-session.ts';
import { sessionPathsOf } from '../../src/session/session-paths.ts';

/** Loads a transcript in the memory that its process was given, and says how much came of it. */
const [file = ''] = process.argv.slice(2);
const { messages, entries } = await loadSession({ kind: 'file', file }, sessionPathsOf('/', {}, '/'));
process.stdout.write(`${messages.length} ${entries.length}`);
