import type { LiveSessions } from '../sessions/live-sessions.ts';
import type { Device } from '../store/device.ts';
import type { Store } from '../store/store.ts';
import { permit } from './permit.ts';

/** Figures for Prometheus. */
export async function metricsFor(
  by: Device,
  store: Store,
  sessions: LiveSessions,
  viewers: number,
): Promise<string> {
  permit(by, 'watch');
  const asks = await store.permissions.countOpen();
  const live = sessions.all;
  const { lines, bytes } = sessions.recorded;
  const { fileBytes, usedBytes } = await store.retention.size();
  const figures: [name: string, kind: 'gauge' | 'counter', help: string, value: number][] = [
    ['sessions_live', 'gauge', 'Sessions in use', live.length],
    [
      'agents_connected',
      'gauge',
      'Agents that are there',
      live.filter(({ isConnected }) => isConnected).length,
    ],
    ['viewers', 'gauge', 'Connections to the stream', viewers],
    ['asks_open', 'gauge', 'Permission requests that wait', asks],
    ['lines_recorded_total', 'counter', 'Lines recorded since the start', lines],
    ['bytes_recorded_total', 'counter', 'Bytes of these lines', bytes],
    ['entries_damaged', 'gauge', 'Damaged entries found since the start', store.record.damaged],
    ['storage_file_bytes', 'gauge', 'Files of the store, the search index included', fileBytes],
    ['storage_used_bytes', 'gauge', 'What of the database is in use', usedBytes],
    ['memory_bytes', 'gauge', 'Resident memory of the process', process.memoryUsage.rss()],
  ];
  return figures
    .map(([name, kind, help, value]) => {
      const full = `signalbox_${name}`;
      return `# HELP ${full} ${help}\n# TYPE ${full} ${kind}\n${full} ${value}\n`;
    })
    .join('');
}
