import {
  encodeAgentMessage,
  encodeHostMessage,
  HOOK_EVENTS,
  MessageEncodeError,
  MessageParseError,
  parseAgentMessage,
  parseHostMessage,
} from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { agentControlRequests } from '../../src/schema/agent-control-request.ts';
import { agentMessages } from '../../src/schema/agent-message.ts';
import { hostControlRequests } from '../../src/schema/host-control-request.ts';
import { hostMessages } from '../../src/schema/host-message.ts';
import { resultMessages } from '../../src/schema/result-message.ts';
import { systemMessages } from '../../src/schema/system-message.ts';
import { hookInputs } from './control-samples.ts';
import { changed, isObject } from './json.ts';
import { agentSamples, hostSamples } from './samples.ts';
import { errorOf } from './thrown.ts';

const cases = [
  ...agentSamples.map(({ message, essential }) => ({
    name: `agent ${nameOf(message)}`,
    message,
    essential,
    parse: parseAgentMessage,
    encode: (extra: object) => encodeAgentMessage({ ...message, ...extra }),
  })),
  ...hostSamples.map(({ message, essential }) => ({
    name: `host ${nameOf(message)}`,
    message,
    essential,
    parse: parseHostMessage,
    encode: (extra: object) => encodeHostMessage({ ...message, ...extra }),
  })),
];

describe('a sample of every message', () => {
  it('[MSG5] exists for every type, subtype and hook event', () => {
    const expected = [
      ...plain(agentMessages).map((type) => `agent ${type}`),
      ...plain(hostMessages).map((type) => `host ${type}`),
      ...Object.keys(systemMessages).map((subtype) => `agent system/${subtype}`),
      ...Object.keys(resultMessages).map((subtype) => `agent result/${subtype}`),
      ...Object.keys(agentControlRequests).map((subtype) => `agent control_request/${subtype}`),
      ...Object.keys(hostControlRequests).map((subtype) => `host control_request/${subtype}`),
    ];
    expect([...new Set(cases.map(({ name }) => name))].toSorted()).toEqual(expected.toSorted());
    expect(hookInputs.map(([input]) => input.hook_event_name).toSorted()).toEqual(
      [...HOOK_EVENTS].toSorted(),
    );
  });

  it.each(cases)(
    '[MSG5] $name: without an essential field, the error names it',
    ({ message, essential, parse }) => {
      for (const field of essential) {
        const broken = changed(message, field, undefined);
        const error = errorOf(() => parse(broken));
        expect(error).toBeInstanceOf(MessageParseError);
        expect(error).toMatchObject({ code: 'MESSAGE_INVALID', field, value: broken });
        expect(error).toHaveProperty('message', expect.stringContaining(`missing field "${field}"`));
      }
    },
  );

  it.each(cases)('[MSG5] $name: with an essential field of the wrong type, the error names it', (sample) => {
    for (const field of sample.essential) {
      const error = errorOf(() => sample.parse(changed(sample.message, field, [[]])));
      expect(error).toBeInstanceOf(MessageParseError);
      expect(error).toHaveProperty('field', expect.stringMatching(startingWith(field)));
    }
  });

  it.each(cases)('[MSG6] $name: every other field may be absent or null', ({ message, essential, parse }) => {
    const spare = fieldsOf(message).filter((field) => !essential.some((needed) => isWithin(needed, field)));
    for (const field of spare) {
      expect(() => parse(changed(message, field, undefined))).not.toThrow();
      expect(() => parse(changed(message, field, null))).not.toThrow();
    }
  });

  it.each(cases)('[MSG7] $name: goes out as it is, and not with a field the protocol lacks', (sample) => {
    expect(JSON.parse(sample.encode({}))).toEqual(sample.message);
    const error = errorOf(() => sample.encode({ surprise: 1 }));
    expect(error).toBeInstanceOf(MessageEncodeError);
    expect(error).toMatchObject({ code: 'MESSAGE_NOT_SENDABLE', field: 'surprise' });
  });
});

function plain(messages: object): string[] {
  return Object.keys(messages).filter((type) => !['system', 'result', 'control_request'].includes(type));
}

function nameOf(message: unknown): string {
  if (!isObject(message)) return '';
  const { type, subtype, request } = message;
  return [type, isObject(request) ? request.subtype : subtype]
    .filter((part) => typeof part === 'string')
    .join('/');
}

const MAPS = new Set(['variables', 'request.hooks', 'request.agents', 'request.servers']);

/** Every field of every object in `value` but the entries of maps, whose names are free: `message`, `message.content`, `message.content[0].type`. */
function fieldsOf(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => fieldsOf(item, `${at}[${index}]`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, of]) => {
    const field = at ? `${at}.${key}` : key;
    return MAPS.has(at) ? fieldsOf(of, field) : [field, ...fieldsOf(of, field)];
  });
}

function isWithin(field: string, outer: string): boolean {
  return startingWith(outer).test(field);
}

function startingWith(field: string): RegExp {
  return new RegExp(`^${field.replaceAll(/[.[\]]/g, '\\$&')}(?![\\w])`);
}
