import { describe, expect, it } from 'vitest';
import { StateBox } from '../src/state-box.ts';

describe('state box', () => {
  it('[TR10] a listener that changes the state does not change the order for the others', () => {
    const box = new StateBox('connecting');
    const heard: string[] = [];
    box.watch((state) => state === 'connected' && box.set('closing'));
    box.watch((state) => heard.push(state));
    box.set('connected');
    box.set('closed');
    expect(heard).toEqual(['connected', 'closing', 'closed']);
  });

  it('[TR10] closing leads to closed only, and nothing leaves closed', () => {
    const box = new StateBox('connected');
    const heard: string[] = [];
    box.watch((state) => heard.push(state));
    for (const state of ['closing', 'connected', 'reconnecting', 'closed', 'closing', 'connected'] as const) {
      box.set(state);
    }
    expect(heard).toEqual(['closing', 'closed']);
  });

  it('[TR10] a listener that another one removes is not called any more', () => {
    const box = new StateBox('connected');
    const heard: string[] = [];
    box.watch(() => stop());
    const stop = box.watch((state) => heard.push(state));
    box.set('closing');
    expect(heard).toEqual([]);
  });

  it('[TR10] a listener that is registered twice leaves once for each', () => {
    const box = new StateBox('connected');
    const heard: string[] = [];
    const listener = (state: string): void => void heard.push(state);
    const stop = box.watch(listener);
    box.watch(listener);
    stop();
    box.set('closing');
    expect(heard).toEqual(['closing']);
  });

  it('[TR10] a listener that throws keeps the state from nobody, and its error is not swallowed', async () => {
    const box = new StateBox('connected');
    const heard: string[] = [];
    box.watch(() => {
      throw new Error('from a listener');
    });
    box.watch((state) => heard.push(state));
    const runners = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    try {
      const surfaced = new Promise((resolve) => process.once('uncaughtException', resolve));
      box.set('closed');
      expect(heard).toEqual(['closed']);
      expect(await surfaced).toMatchObject({ message: 'from a listener' });
    } finally {
      for (const runner of runners) process.on('uncaughtException', runner);
    }
  });
});
