import { parseJson } from '@signalbox/protocol';
import type { SDKMessage } from '../types/messages.ts';
import type { PermissionRequest } from './direct-connect.ts';

/** What an agent said, by what it is to a page. */
export type Said =
  | { kind: 'message'; message: SDKMessage; id: unknown }
  | { kind: 'permission'; request: PermissionRequest; requestId: string }
  | { kind: 'question'; subtype: string; requestId: string }
  | { kind: 'cancel'; requestId: string }
  | { kind: 'refusal'; error: string };

type Fields = Record<string, unknown>;

/** What is in a frame, which may hold several lines. A line that cannot be read is reported, and costs no other. */
export function wordsIn(data: unknown, onError: (error: Error) => void): Said[] {
  const lines = typeof data === 'string' ? data.split('\n') : [];
  return lines.flatMap((line) => {
    try {
      return line.trim() === '' ? [] : read(parseJson(line));
    } catch (error) {
      const problem = error instanceof SyntaxError ? 'that is not JSON' : 'that cannot be read';
      onError(new Error(`The agent sent a line ${problem}: ${line.slice(0, 200)}`, { cause: error }));
      return [];
    }
  });
}

function read(value: unknown): Said[] {
  const { type, request_id, request, response, uuid } = fieldsOf(value);
  const requestId = String(request_id);
  switch (type) {
    case 'control_request': {
      const asked = fieldsOf(request);
      const subtype = String(asked['subtype']);
      if (subtype !== 'can_use_tool') return [{ kind: 'question', subtype, requestId }];
      return [{ kind: 'permission', request: atItsWord('request', asked), requestId }];
    }
    case 'control_cancel_request':
      return [{ kind: 'cancel', requestId }];
    case 'control_response': {
      const { subtype, error } = fieldsOf(response);
      return subtype === 'error' ? [{ kind: 'refusal', error: String(error) }] : [];
    }
    case 'keep_alive':
    case undefined:
      return [];
    default:
      return [{ kind: 'message', message: atItsWord('message', value), id: uuid }];
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

interface Words {
  message: SDKMessage;
  request: PermissionRequest;
}

/** Take an agent at its word: checking shapes would cost a page more than the whole client. */
function atItsWord<K extends keyof Words>(_said: K, value: unknown): Words[K] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place where unchecked words get a type
  return value as Words[K];
}
