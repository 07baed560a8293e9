import { WireLine } from '@signalbox/protocol';
import type { SessionProblem } from '@signalbox/protocol/hub';
import { describe, expect, it } from 'vitest';
import { problemAfter } from '../../src/sessions/session-problem.ts';

function after(known: SessionProblem | null, ...messages: unknown[]): SessionProblem | null {
  let problem = known;
  for (const message of messages) problem = problemAfter(WireLine.of(JSON.stringify(message)), problem);
  return problem;
}

describe('what keeps an agent from its work', () => {
  const words = 'No credentials: set ANTHROPIC_API_KEY';
  const error = {
    type: 'assistant',
    message: { content: [{ type: 'text', text: words }] },
    error: 'authentication_failed',
  };
  const failed = { type: 'result', subtype: 'success', is_error: true, result: words };
  const noKey = { code: 'no_credentials', message: words } as const;

  it('[HB273] is the want of a key, or what its last turn failed with', () => {
    expect(after(null, error, failed)).toEqual(noKey);
    expect(after(null, failed)).toEqual({ code: 'turn_failed', message: words });
    expect(after(noKey, { ...failed, result: 'Overloaded' })).toEqual({
      code: 'turn_failed',
      message: 'Overloaded',
    });
    const long = after(null, { ...failed, result: 'x'.repeat(5000) });
    expect(long?.message).toHaveLength(1000);
  });

  it('[HB273] is over with a turn that ends well, or that somebody stopped', () => {
    expect(after(noKey, { type: 'result', subtype: 'success', is_error: false })).toBeNull();
    const stopped = { type: 'result', subtype: 'error_during_execution', terminal_reason: 'aborted_tools' };
    expect(after(noKey, stopped)).toBeNull();
  });

  it('[HB273] is nothing that an agent only speaks of', () => {
    const spoken = { type: 'assistant', message: { content: [{ type: 'text', text: 'hi' }] } };
    expect(after(noKey, spoken)).toBe(noKey);
    const input = { error: 'authentication_failed' };
    const called = { type: 'assistant', message: { content: [{ type: 'tool_use', input }] } };
    expect(after(null, called)).toBeNull();
  });
});
