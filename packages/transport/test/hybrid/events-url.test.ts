import { describe, expect, it } from 'vitest';
import { eventsUrl } from '../../src/hybrid/events-url.ts';

describe('eventsUrl', () => {
  it.each([
    ['wss://host/ws/abc', 'https://host/session/abc/events'],
    ['ws://host:8765/ws/abc', 'http://host:8765/session/abc/events'],
    ['ws://[::1]:8765/ws/abc/', 'http://[::1]:8765/session/abc/events'],
    ['wss://host/v1/ws/abc/def?key=1#part', 'https://host/v1/session/abc/def/events?key=1'],
    ['wss://host/ws/abc?token=secret', 'https://host/session/abc/events'],
    ['wss://host/ws/abc?key=1&token=secret', 'https://host/session/abc/events?key=1'],
    ['wss://host/ws/ws/abc', 'https://host/session/ws/abc/events'],
    ['wss://user:word@host/ws/a%2Fb', 'https://user:word@host/session/a%2Fb/events'],
  ])('[HY1] %s → %s', (url, expected) => {
    expect(eventsUrl(new URL(url)).href).toBe(expected);
  });

  it.each([
    'ws://host',
    'ws://host/',
    'ws://host/ws',
    'ws://host/ws/',
    'ws://host/ws//',
    'ws://host/news/abc',
  ])('[HY1] %s names no session, and the error says what would', (url) => {
    const convert = (): URL => eventsUrl(new URL(url));
    expect(convert).toThrow(expect.objectContaining({ code: 'HYBRID_URL_INVALID' }));
    expect(convert).toThrow('ws://host:port/ws/<session>');
  });

  it('[HY1] the error keeps credentials and query to itself', () => {
    const convert = (): URL => eventsUrl(new URL('ws://user:word@host/nothing?key=secret'));
    expect(convert).toThrow(/^Cannot tell where to post events from ws:\/\/host\/nothing\. /);
  });
});
