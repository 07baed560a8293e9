import {
  blockBody,
  blockEvents,
  type ReplyBlock,
  type ReplyMessage,
  type StreamEvent,
} from '../api/events.ts';
import { countTokens, type InputUsage } from '../api/tokens.ts';
import { fillText, fillValue } from './placeholders.ts';
import type { Part } from './player.ts';
import type { Fault, Step } from './schema.ts';

/** A fault that strikes while a reply is on its way. */
export type StreamFault = Exclude<Fault, { kind: 'status' | 'slow' }>;

/** One thing to do while streaming a reply. */
export type Cue =
  | { readonly do: 'send'; readonly event: StreamEvent }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'fail'; readonly fault: StreamFault };

/** A reply, ready to be streamed (`cues`) or sent whole (`message`). */
export interface Performance {
  readonly message: ReplyMessage;
  readonly cues: readonly Cue[];
}

/** Where the ids of messages and tool calls come from. */
export interface IdSource {
  next(prefix: 'msg' | 'toolu'): string;
}

const SIGNATURE = btoa('scripted');

type Played = { block: ReplyBlock } | { wait: number } | { fault: Fault };

function play(step: Step, values: Part['values'], ids: IdSource): Played {
  const text = (template: string) => (values ? fillText(template, values) : template);
  if (typeof step === 'string') return { block: { type: 'text', text: text(step) } };
  if ('text' in step) return { block: { type: 'text', text: text(step.text) } };
  if ('thinking' in step) {
    return {
      block: { type: 'thinking', thinking: text(step.thinking), signature: step.signature ?? SIGNATURE },
    };
  }
  if ('tool' in step) {
    const input = values ? fillValue(step.input, values) : step.input;
    return { block: { type: 'tool_use', id: step.id ?? ids.next('toolu'), name: text(step.tool), input } };
  }
  if ('block' in step) return { block: { type: 'other', block: step.block } };
  return 'delay_ms' in step ? { wait: step.delay_ms } : { fault: step.fault };
}

function outputTokens(block: ReplyBlock): number {
  switch (block.type) {
    case 'text':
      return countTokens(block.text);
    case 'thinking':
      return countTokens(block.thinking);
    case 'tool_use':
      return countTokens(block.name + JSON.stringify(block.input));
    default:
      return countTokens(JSON.stringify(block.block));
  }
}

type Struck = { readonly at: number; readonly fault: StreamFault };

/** Puts each fault in front of the event it must strike before; one past the end strikes at the end. */
function withFaults(cues: readonly Cue[], faults: readonly Struck[]): Cue[] {
  const due = (isDue: (at: number) => boolean) =>
    faults.filter(({ at }) => isDue(at)).map(({ fault }): Cue => ({ do: 'fail', fault }));
  let sent = 0;
  const woven = cues.flatMap((cue) => {
    if (cue.do !== 'send') return [cue];
    const struck = due((at) => at === sent);
    sent += 1;
    return [...struck, cue];
  });
  return [...woven, ...due((at) => at >= sent)];
}

function cuesOf(played: readonly Played[], start: StreamEvent, end: readonly StreamEvent[]): Cue[] {
  const cues: Cue[] = [];
  const send = (event: StreamEvent) => cues.push({ do: 'send', event });
  const faults: Struck[] = [];
  let sent = 0;
  let index = 0;
  send(start);
  for (const one of played) {
    if ('block' in one) {
      const block = blockEvents(one.block, index);
      block.forEach(send);
      sent = (sent || 1) + block.length;
      index += 1;
    } else if ('wait' in one) {
      cues.push({ do: 'wait', ms: one.wait });
    } else if (one.fault.kind !== 'status' && one.fault.kind !== 'slow') {
      faults.push({ at: sent + one.fault.after, fault: one.fault });
    }
  }
  end.forEach(send);
  return withFaults(cues, faults);
}

/** Turns a part of the script into what goes over the wire. */
export function compose(part: Part, model: string, input: InputUsage, ids: IdSource): Performance {
  const played = part.say.map((step) => play(step, part.values, ids));
  const blocks = played.flatMap((one) => ('block' in one ? [one.block] : []));
  const calls = blocks.some((block) => block.type === 'tool_use');
  const given = part.reply.usage;
  const usage = {
    input_tokens: given?.input_tokens ?? input.input_tokens,
    cache_creation_input_tokens: given?.cache_creation_input_tokens ?? input.cache_creation_input_tokens,
    cache_read_input_tokens: given?.cache_read_input_tokens ?? input.cache_read_input_tokens,
    output_tokens: given?.output_tokens ?? blocks.reduce((sum, block) => sum + outputTokens(block), 0),
    ...(given?.cache_creation ? { cache_creation: given.cache_creation } : {}),
    ...(given?.server_tool_use ? { server_tool_use: given.server_tool_use } : {}),
    ...(given?.output_tokens_details ? { output_tokens_details: given.output_tokens_details } : {}),
    service_tier: 'standard',
  };
  const stopReason = part.reply.stop_reason ?? (calls ? 'tool_use' : 'end_turn');
  const message: ReplyMessage = {
    id: ids.next('msg'),
    type: 'message',
    role: 'assistant',
    model,
    content: blocks.map(blockBody),
    stop_reason: stopReason,
    stop_sequence: null,
    usage,
  };
  const start = { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } };
  const cues = cuesOf(played, { type: 'message_start', message: start }, [
    { type: 'message_delta', delta: { stop_reason: stopReason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]);
  return { message, cues };
}
