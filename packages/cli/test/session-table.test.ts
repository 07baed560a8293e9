import type { Session } from 'signalbox/hub';
import { describe, expect, it } from 'vitest';
import { sessionTable } from '../src/sessions/session-table.ts';

describe('the table of sessions', () => {
  it('[CL370] what an agent says of its session does not speak to the terminal', () => {
    const hostile = '/a\u001b[31m\u001b]0;x\u0007\nb';
    const session: Session = {
      id: 's',
      state: 'idle',
      title: hostile,
      folder: hostile,
      agent: hostile,
      model: null,
      mode: null,
      exit: null,
      problem: null,
      createdAt: 0,
      updatedAt: 0,
    };
    const table = sessionTable([session], 0, 500);
    expect(table).toContain('/a');
    expect(table).not.toContain('\u001b');
    expect(table.trimEnd().split('\n')).toHaveLength(2);
  });
});
