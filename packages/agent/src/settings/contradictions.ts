import { sameJson } from '@signalbox/protocol';
import { plainRuleText } from './own-answers.ts';
import type { SourceSettings } from './source-settings.ts';

/** What a source says both ways, in words, with what holds: always the stricter. */
export function contradictionsIn(settings: SourceSettings): string[] {
  // Most sources have only one kind of rules, and to read them all takes time.
  const { allow } = settings.deny.length > 0 ? settings : { allow: [] };
  const denied = new Set((allow.length > 0 ? settings.deny : []).map(plainRuleText));
  const {
    allowedMcpServers = [],
    deniedMcpServers,
    enabledMcpjsonServers,
    disabledMcpjsonServers,
  } = settings;
  const both = [
    ...allow.map(plainRuleText).filter((rule) => denied.has(rule)),
    ...allowedMcpServers
      .filter((server) => deniedMcpServers.some((other) => sameJson(server, other)))
      .map((server) => `the MCP server ${JSON.stringify(server)}`),
    ...enabledMcpjsonServers
      .filter((name) => disabledMcpjsonServers.includes(name))
      .map((name) => `the MCP server "${name}"`),
    ...(settings.disableBypass && settings.defaultMode === 'bypassPermissions' ? ['bypassPermissions'] : []),
  ];
  return [...new Set(both)].map((what) => `${what} is both allowed and denied; the denial holds`);
}
