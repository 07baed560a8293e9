import { loadSession } from '../../src/session/load-session.ts';
import { sessionPlaces } from '../../src/session/session-places.ts';

/** Loads a transcript in the memory that its process was given, and says how much came of it. */
const [file = ''] = process.argv.slice(2);
const { messages, entries } = await loadSession({ kind: 'file', file }, sessionPlaces('/', {}, '/'));
process.stdout.write(`${messages.length} ${entries.length}`);
