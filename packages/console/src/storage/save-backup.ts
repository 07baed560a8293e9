import type { HubApi } from 'signalbox/hub';

/** Have the browser save a backup as a file. */
export async function saveBackup(api: HubApi): Promise<void> {
  const parts: BlobPart[] = [];
  for await (const chunk of await api.download('GET /api/backup')) parts.push(new Uint8Array(chunk));
  const url = URL.createObjectURL(new Blob(parts, { type: 'application/vnd.sqlite3' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `signalbox-${new Date().toISOString().slice(0, 10)}.db`;
  link.click();
  URL.revokeObjectURL(url);
}
