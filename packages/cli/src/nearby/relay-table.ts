import type { NearbyRelay } from '@signalbox/transport/nearby';
import { inOneLine } from '../cell-text.ts';
import { fittedTable } from '../text-table.ts';

const SHAPE = {
  columns: ['ADDRESS', 'WHAT', 'AGENTS'],
  leftOut: [],
  cut: { column: 'AGENTS', least: 12, most: 80 },
} as const;

/** The relays as a table no wider than `room`; `own` is the port of this machine's hub. */
export function relayTable(relays: readonly NearbyRelay[], own: number | undefined, room: number): string {
  return fittedTable(
    SHAPE,
    relays.map(({ port, state, agents }) => ({
      ADDRESS: `ws://127.0.0.1:${port}`,
      WHAT: port === own ? 'your hub' : state === 'open' ? 'a relay' : 'wants a token',
      AGENTS: state === 'closed' ? '' : agentWords(agents),
    })),
    room,
  );
}

function agentWords(agents: NearbyRelay['agents']): string {
  if (agents.length === 0) return 'none heard';
  return agents.map((name) => (name === null ? 'one, without a name yet' : inOneLine(name))).join(', ');
}
