import type { Notice, NoticeTarget } from 'signalbox/hub';
import { harmless } from '../harmless-text.ts';
import { shortId } from '../hub/pick-session.ts';
import { fittedTable } from '../text-table.ts';

type Delivery = Notice['deliveries'][number];

const TARGETS = {
  columns: ['ID', 'TYPE', 'NAME', 'ADDRESS', 'TOLD', 'STATE'],
  leftOut: ['ADDRESS', 'TOLD'],
  cut: { column: 'NAME', least: 12, most: 40 },
} as const;

const NOTICES = {
  columns: ['WHEN', 'KIND', 'TARGET', 'STATE', 'NOTICE'],
  leftOut: ['WHEN', 'TARGET'],
  cut: { column: 'NOTICE', least: 12, most: 80 },
} as const;

/** A table of targets. */
export function targetTable(targets: readonly NoticeTarget[], room: number): string {
  return fittedTable(
    TARGETS,
    targets.map(({ id, type, name, address, kinds, mayAnswer, retired }) => ({
      ID: shortId(id),
      TYPE: harmless(type),
      NAME: harmless(name),
      ADDRESS: harmless(address),
      TOLD: harmless(kinds.join(',')),
      STATE: retired ? harmless(`retired: ${retired.why}`) : mayAnswer ? 'may answer' : 'on',
    })),
    room,
  );
}

/** A table of what became of notices: a row for each target of each. */
export function noticeTable(notices: readonly Notice[], room: number): string {
  return fittedTable(
    NOTICES,
    notices.flatMap(({ createdAt, kind, title, body, deliveries }) =>
      deliveries.map((delivery) => ({
        WHEN: new Date(createdAt).toISOString().slice(0, 19).replace('T', ' '),
        KIND: harmless(kind),
        TARGET: harmless(delivery.targetName),
        STATE: harmless(stateOf(delivery)),
        NOTICE: harmless(body === '' ? title : `${title}: ${body}`),
      })),
    ),
    room,
  );
}

export function targetWords({ id, type, name, address }: NoticeTarget): string {
  // Who gave it no name of its own reads its type there.
  const kind = name.startsWith(`${type} `) ? '' : `${harmless(type)} `;
  return `${shortId(id)} ${kind}${harmless(name)} (${harmless(address)})`;
}

/** What a notice came to. */
export function deliveriesOf(notices: readonly Notice[], id: string): Delivery[] {
  return notices.find((notice) => notice.id === id)?.deliveries ?? [];
}

export function outcomeOfTest({ name }: NoticeTarget, delivery: Delivery | undefined): string {
  if (!delivery) return `${harmless(name)}: it is still on its way\n`;
  return `${harmless(name)}: ${harmless(stateOf(delivery))}\n`;
}

function stateOf({ state, outcome }: Delivery): string {
  const isOdd = state === 'failed' || state === 'waiting';
  return isOdd && outcome !== null ? `${state}: ${outcome}` : state;
}
