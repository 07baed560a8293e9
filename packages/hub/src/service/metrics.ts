import type { HubNodes } from '@signalbox/protocol/hub';
import type { LiveSessions } from '../sessions/live-sessions.ts';
import type { Device } from '../store/device.ts';
import type { Store } from '../store/store.ts';
import type { NodeService } from './node-service.ts';
import { permit } from './permit.ts';

/** What is told of. */
export interface MetricsParts {
  store: Store;
  sessions: LiveSessions;
  nodes: NodeService;
  /** Connections to the stream. */
  viewers: number;
}

/** A figure, or one for each value of a label. */
interface Figure {
  name: string;
  kind: 'gauge' | 'counter';
  help: string;
  values: { label?: string; value: number }[];
}

const SECOND_MS = 1000;

/** Figures for Prometheus. */
export async function metricsFor(
  by: Device,
  { store, sessions, nodes, viewers }: MetricsParts,
): Promise<string> {
  permit(by, 'watch');
  const asks = await store.permissions.countOpen();
  const live = sessions.all;
  const { lines, bytes, delayMs } = sessions.recorded;
  const { fileBytes, usedBytes } = await store.retention.size();
  const connected = live.filter(({ isConnected }) => isConnected).length;
  return [
    figure('sessions_live', 'gauge', 'Sessions in use', live.length),
    figure('agents_connected', 'gauge', 'Agents that are there', connected),
    figure('viewers', 'gauge', 'Connections to the stream', viewers),
    figure('asks_open', 'gauge', 'Permission requests that wait', asks),
    figure('lines_recorded_total', 'counter', 'Lines recorded since the start', lines),
    figure('bytes_recorded_total', 'counter', 'Bytes of these lines', bytes),
    figure(
      'recording_seconds_total',
      'counter',
      'How long these lines took, together, from when they came until they were stored and given to viewers',
      delayMs / SECOND_MS,
    ),
    figure('entries_damaged', 'gauge', 'Damaged entries found since the start', store.record.damaged),
    figure('storage_file_bytes', 'gauge', 'Files of the store, the search index included', fileBytes),
    figure('storage_used_bytes', 'gauge', 'What of the database is in use', usedBytes),
    figure('memory_bytes', 'gauge', 'Resident memory of the process', process.memoryUsage.rss()),
    ...nodeFigures(await nodes.list(by)),
  ]
    .map(text)
    .join('');
}

/** Nothing of a hub that is alone. */
function nodeFigures({ items, lead, database }: HubNodes): Figure[] {
  const byNode = (value: (node: HubNodes['items'][number]) => number): Figure['values'] =>
    items.map((node) => ({ label: `node=${JSON.stringify(node.id)}`, value: value(node) }));
  const partitions = (database?.partitions ?? []).map(({ week, bytes }) => ({
    label: `week="${new Date(week).toISOString().slice(0, 10)}"`,
    value: bytes,
  }));
  return [
    ...(lead
      ? [
          {
            name: 'node_leads',
            kind: 'gauge' as const,
            help: '1 for the node that leads',
            values: byNode(({ leads }) => Number(leads)),
          },
          {
            name: 'node_seen_seconds',
            kind: 'gauge' as const,
            help: 'How long ago a node was heard of',
            values: byNode(({ seenMsAgo }) => seenMsAgo / SECOND_MS),
          },
          figure(
            'lease_age_seconds',
            'gauge',
            'How long ago the lease was renewed',
            lead.renewedMsAgo / SECOND_MS,
          ),
          figure('lead_since_seconds', 'gauge', 'When the node began to lead', lead.since / SECOND_MS),
        ]
      : []),
    ...(database
      ? [
          figure('database_connections', 'gauge', 'Connections of all nodes', database.connections),
          {
            name: 'partition_bytes',
            kind: 'gauge' as const,
            help: 'What was said in a week takes',
            values: partitions,
          },
        ]
      : []),
  ];
}

function figure(name: string, kind: Figure['kind'], help: string, value: number): Figure {
  return { name, kind, help, values: [{ value }] };
}

function text({ name, kind, help, values }: Figure): string {
  const full = `signalbox_${name}`;
  const lines = values.map(
    ({ label, value }) => `${full}${label === undefined ? '' : `{${label}}`} ${value}\n`,
  );
  return `# HELP ${full} ${help}\n# TYPE ${full} ${kind}\n${lines.join('')}`;
}
