import { isJsonObject, listAt, objectAt, textAt } from '@signalbox/protocol';
import { t } from '../words/t.ts';

/** An MCP server of a session, as it is shown. */
export interface ServerRow {
  name: string;
  status: string;
  /** What it calls itself. */
  says: string;
  scope: string;
  /** How it is reached: a command or an address. */
  reached: string;
  error: string;
  tools: readonly { name: string; description: string }[];
}

/** What each state of a server means to its reader. */
const STATUS_WORDS: Readonly<Record<string, string>> = t.details.serverStates;

/** Those that become something else by themselves. */
const ON_THEIR_WAY: readonly string[] = ['connecting', 'pending'];

/** The servers in what an agent answers, in its order. */
export function serversIn(answer: unknown): readonly ServerRow[] {
  return listAt(answer, 'mcpServers')
    .filter(isJsonObject)
    .map((server) => {
      const config = objectAt(server, 'config');
      const info = objectAt(server, 'serverInfo');
      return {
        name: textAt(server, 'name'),
        status: textAt(server, 'status'),
        says: [textAt(info, 'name'), textAt(info, 'version')].filter(Boolean).join(' '),
        scope: textAt(server, 'scope'),
        reached:
          textAt(config, 'url') || [textAt(config, 'command'), ...listAt(config, 'args')].join(' ').trim(),
        error: textAt(server, 'error'),
        tools: listAt(server, 'tools').map((tool) => ({
          name: textAt(tool, 'name'),
          description: textAt(tool, 'description'),
        })),
      };
    });
}

export function statusWords({ status }: ServerRow): string {
  return STATUS_WORDS[status] ?? status;
}

/** Whether it is worth asking again soon. */
export function areOnTheirWay(servers: readonly ServerRow[]): boolean {
  return servers.some(({ status }) => ON_THEIR_WAY.includes(status));
}

/** The lamp that a state has. */
export function lampOf({ status }: ServerRow): string {
  if (status === 'connected') return 'idle';
  if (status === 'failed') return 'trouble';
  if (status === 'needs-auth') return 'asking';
  return ON_THEIR_WAY.includes(status) ? 'active' : 'exited';
}
