import { describe, expect, it } from 'vitest';
import {
  DEFAULT_RECONNECT,
  isFinalClose,
  isFinalStatus,
  reconnectDelayMs,
} from '../../src/websocket/reconnect-policy.ts';

describe('reconnect policy', () => {
  it('[WS2] the pause doubles from one second up to thirty', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7, 2000].map((attempt) =>
      reconnectDelayMs(attempt, DEFAULT_RECONNECT, () => 0),
    );
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('[WS2] chance makes it up to half shorter, and never longer', () => {
    expect(reconnectDelayMs(1, DEFAULT_RECONNECT, () => 0.5)).toBe(750);
    expect(reconnectDelayMs(9, DEFAULT_RECONNECT, () => 1)).toBe(15_000);
    for (let n = 0; n < 100; n += 1) {
      const pause = reconnectDelayMs(3, DEFAULT_RECONNECT);
      expect(pause).toBeGreaterThanOrEqual(2000);
      expect(pause).toBeLessThanOrEqual(4000);
    }
  });

  it('[WS4] closes that another attempt would meet again are final', () => {
    const codes = [1000, 1001, 1002, 1003, 1005, 1006, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1015, 3000];
    expect(codes.filter(isFinalClose)).toEqual([1000, 1002, 1003, 1007, 1008, 1009, 1010]);
    expect([3999, 4000, 4499, 4999, 5000].filter(isFinalClose)).toEqual([4000, 4499, 4999]);
  });

  it('[WS5] refusals that another attempt would meet again are final', () => {
    const statuses = [200, 301, 400, 401, 403, 404, 405, 408, 410, 426, 429, 500, 502, 503, 504];
    expect(statuses.filter(isFinalStatus)).toEqual([401, 403, 404, 405, 410, 426]);
  });
});
