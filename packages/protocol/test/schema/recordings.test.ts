import { describe, expect, it } from 'vitest';
import { agentControlRequests } from '../../src/schema/agent-control-request.ts';
import { agentMessages } from '../../src/schema/agent-message.ts';
import { hostControlRequests } from '../../src/schema/host-control-request.ts';
import { hostMessages } from '../../src/schema/host-message.ts';
import { resultMessages } from '../../src/schema/result-message.ts';
import { systemMessages } from '../../src/schema/system-message.ts';
import { copy, isObject, type Json } from './json.ts';
import { DELIBERATELY_BAD, hasWrongRole, parse, type Recorded, recordings } from './recordings.ts';

const good = recordings.filter((recorded) => !hasWrongRole(recorded));

describe('recorded traffic', () => {
  it('[MSG1] parses, every line, from agents and from hosts', () => {
    expect(recordings.length).toBe(873);
    const refused = good.flatMap((recorded) => {
      try {
        parse(recorded);
        return [];
      } catch (error) {
        return [`${recorded.file}: ${String(error)}`];
      }
    });
    expect(refused).toEqual([]);
  });

  it('[MSG2] comes out of the parser byte for byte', () => {
    for (const recorded of good) {
      const line = JSON.stringify(recorded.message);
      expect(JSON.stringify(parse({ ...recorded, message: JSON.parse(line) }))).toBe(line);
    }
  });

  it('[MSG2] keeps unknown fields at every depth and in their place', () => {
    for (const recorded of good) {
      const message = withForeignFields(copy(recorded.message));
      const line = JSON.stringify(message);
      expect(JSON.stringify(parse({ ...recorded, message }))).toBe(line);
    }
  });

  it('[MSG3] has no type or subtype without a schema, except what was sent to be refused', () => {
    const unknown = new Set(recordings.map(nameOf).filter((name) => !isListed(name)));
    expect([...unknown].map((name) => name.slice(name.indexOf(' ') + 1)).toSorted()).toEqual(
      [...DELIBERATELY_BAD].toSorted(),
    );
  });
});

/** Where every key is an entry of its own, so that a foreign one would be an entry of the wrong shape. */
const MAPS = new Set([
  'modelUsage',
  'model_usage_since_last_result',
  'by_type',
  'hooks',
  'agents',
  'servers',
  'variables',
  'toolAliases',
  'sdkMcpServerManifests',
]);

function withForeignFields(value: Json, name = ''): Json {
  if (Array.isArray(value)) return value.map((item) => withForeignFields(item));
  if (!isObject(value)) return value;
  const fields = Object.entries(value).map(([key, of]) => [key, withForeignFields(of, key)]);
  if (MAPS.has(name)) return Object.fromEntries(fields);
  return { aa_first: { zz: [1, null], a: 0 }, ...Object.fromEntries(fields), last: 'ü' };
}

function nameOf({ from, message }: Recorded): string {
  if (!isObject(message)) return `${from} ${typeof message}`;
  const { type, subtype, request } = message;
  const detail = type === 'control_request' && isObject(request) ? request.subtype : subtype;
  return `${from} ${[type, detail].filter((part) => typeof part === 'string').join('/')}`;
}

const LISTED = new Set([
  ...Object.keys(agentMessages).map((type) => `agent ${type}`),
  ...Object.keys(systemMessages).map((subtype) => `agent system/${subtype}`),
  ...Object.keys(resultMessages).map((subtype) => `agent result/${subtype}`),
  ...Object.keys(agentControlRequests).map((subtype) => `agent control_request/${subtype}`),
  ...Object.keys(hostMessages).map((type) => `host ${type}`),
  ...Object.keys(hostControlRequests).map((subtype) => `host control_request/${subtype}`),
]);

function isListed(name: string): boolean {
  return LISTED.has(name);
}
