import { mkdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Hub, Store } from '@signalbox/hub';

/** A hub without any session gets one on the built-in model, so that there is something to see and to try. */
export async function launchFirstSession(hub: Hub, store: Store, home: string): Promise<void> {
  const { items } = await store.sessions.list({ limit: 1 });
  if (items.length > 0) return;
  const folder = join(home, 'welcome');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const author = { by: 'person', name: userInfo().username, device: 'signalbox up' } as const;
  const launch = { agent: 'scripted', folder, prompt: 'Hello! What can you do?' } as const;
  await hub.launch(author, { title: 'Welcome', launch });
}
