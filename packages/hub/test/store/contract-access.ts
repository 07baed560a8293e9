import { SCOPES } from '@signalbox/protocol/hub';
import { EVENT_MS } from '@signalbox/testing/event-limit';
import { describe, expect, it, vi } from 'vitest';
import { type DeviceGrant, includesScope } from '../../src/store/device.ts';
import { MAX_KEPT_ANSWER_BYTES } from '../../src/store/kept-answer.ts';
import type { OpenedStore } from './store-contract.ts';

const GRANT: DeviceGrant = { person: 'Ann', name: 'phone', scope: 'approve', session: null };
const LONG_MS = 3_600_000;

export function describeAccess(store: OpenedStore): void {
  describe('devices', () => {
    it('[LOG21] lets a device in by its token, and nobody else', async () => {
      const { devices } = store();
      const { device, token } = await devices.add({ ...GRANT, session: 'only-this' });
      const other = await devices.add(GRANT);
      expect(device).toMatchObject({ ...GRANT, session: 'only-this', lastSeenAt: null, revokedAt: null });
      expect(token.length).toBeGreaterThan(64);
      expect(await devices.authenticate(token)).toEqual(device);
      expect((await devices.noteSeen(device.id)).lastSeenAt).toBeGreaterThanOrEqual(device.createdAt);
      const [, proof = ''] = other.token.split('.');
      const wrong = [
        '',
        '.',
        device.id,
        `${device.id}.`,
        `${device.id}.${proof}`,
        `${token}x`,
        token.slice(0, -1),
      ];
      for (const guess of wrong) expect(await devices.authenticate(guess)).toBeUndefined();
      expect((await devices.list({ limit: 500 })).items.map(({ id }) => id)).toEqual(
        expect.arrayContaining([device.id, other.device.id]),
      );
    });

    it('[LOG550] lists devices in pages, of a kind or a session where it is asked for', async () => {
      const { devices } = store();
      const session = crypto.randomUUID();
      const ids: string[] = [];
      for (const kind of ['person', 'agent', 'person', 'agent', 'agent'] as const)
        ids.push((await devices.add({ ...GRANT, session, kind })).device.id);
      const agents = [ids[1], ids[3], ids[4]];
      const first = await devices.list({ session, kind: 'agent', limit: 2 });
      expect(first.items.map(({ id }) => id)).toEqual(agents.slice(0, 2));
      const rest = await devices.list({ session, kind: 'agent', limit: 2, after: first.next ?? '' });
      expect([rest.items.map(({ id }) => id), rest.next]).toEqual([agents.slice(2), undefined]);
      expect((await devices.list({ session })).items.map(({ id }) => id)).toEqual(ids);
    });

    it('[LOG21] lets nobody in whose token was revoked', async () => {
      const { devices } = store();
      const { device, token } = await devices.add(GRANT);
      const revoked = await devices.revoke(device.id);
      expect(revoked.revokedAt).toBeGreaterThanOrEqual(device.createdAt);
      expect(await devices.revoke(device.id)).toEqual(revoked);
      expect(await devices.authenticate(token)).toBeUndefined();
      expect(await devices.get(device.id)).toEqual(revoked);
      await expect(devices.revoke('nothing')).rejects.toMatchObject({ code: 'STORE_NOT_FOUND' });
    });

    it('[LOG22] each scope includes those before it', () => {
      const allowed = SCOPES.map((held) => SCOPES.filter((needed) => includesScope(held, needed)));
      expect(allowed).toEqual(SCOPES.map((_, index) => SCOPES.slice(0, index + 1)));
    });

    it('[LOG23] a sign-in link lets one device in, once, and not for ever', async () => {
      const { devices } = store();
      const link = await devices.createLink(GRANT, LONG_MS);
      expect(await devices.redeemLink(`${link}x`)).toBeUndefined();
      const tries = await Promise.all(Array.from({ length: 10 }, () => devices.redeemLink(link)));
      const admitted = tries.filter((admission) => admission !== undefined);
      expect(admitted).toHaveLength(1);
      expect(await devices.authenticate(admitted[0]?.token ?? '')).toMatchObject(GRANT);
      const [decision] = (await store().audit.list()).items;
      const { person: name, name: device } = GRANT;
      expect(decision).toMatchObject({
        what: 'sign in',
        subject: admitted[0]?.device.id,
        author: { by: 'person', name, device, deviceId: admitted[0]?.device.id },
      });
      const old = await devices.createLink(GRANT, 0);
      expect(await devices.redeemLink(old)).toBeUndefined();
    });

    it('[LOG781] a token that was refused because it has expired is revoked for good, whatever the clock says later', async () => {
      const { devices } = store();
      const { device, token } = await devices.add({ ...GRANT, expiresAt: 1 });
      expect(await devices.authenticate(token)).toBeUndefined();
      expect((await devices.get(device.id))?.revokedAt).toBeGreaterThan(1);
    });

    it('[LOG345] a sign-in link is of no use once the device that made it is signed out, or its token expired', async () => {
      const { devices } = store();
      const [kept, revoked] = [await devices.add(GRANT), await devices.add(GRANT)];
      const expired = await devices.add({ ...GRANT, expiresAt: 1 });
      const links = [];
      for (const { device } of [kept, revoked, expired])
        links.push(await devices.createLink(GRANT, LONG_MS, device.id));
      await devices.revoke(revoked.device.id);
      const admitted = [];
      for (const link of links) admitted.push((await devices.redeemLink(link)) !== undefined);
      expect(admitted).toEqual([true, false, false]);
    });
  });

  describe('kept answers', () => {
    it('[LOG39] a request that was begun is known to whoever comes later, until it is abandoned', async () => {
      const { answers } = store();
      const ann = crypto.randomUUID();
      const begun = await answers.begin(ann, 'key', 'POST /a', LONG_MS);
      expect(begun).toMatchObject({ fingerprint: 'POST /a', isFirst: true, answer: undefined });
      expect(await answers.begin(ann, 'key', 'POST /b', LONG_MS)).toEqual({ ...begun, isFirst: false });
      expect(await answers.recall(ann, 'key')).toBeUndefined();
      await answers.abandon(ann, 'key');
      const again = await answers.begin(ann, 'key', 'POST /b', LONG_MS);
      expect(again).toMatchObject({ fingerprint: 'POST /b', isFirst: true });
      expect(again.made).not.toBe(begun.made);
      const answer = { fingerprint: 'POST /b', status: 201, body: '{}' };
      await answers.keep(ann, 'key', answer, LONG_MS);
      await answers.abandon(ann, 'key');
      expect((await answers.begin(ann, 'key', 'POST /b', LONG_MS)).answer).toEqual({
        status: 201,
        body: '{}',
      });
    });

    it('[LOG24] keeps the first answer for a key and a principal, for a while', async () => {
      const { answers } = store();
      const [ann, bob] = [crypto.randomUUID(), crypto.randomUUID()];
      const first = { fingerprint: 'POST /a', status: 201, body: '{"ok":true}' };
      expect(await answers.recall(ann, 'key')).toBeUndefined();
      expect(await answers.keep(ann, 'key', first, LONG_MS)).toEqual(first);
      expect(await answers.keep(ann, 'key', { ...first, status: 500 }, LONG_MS)).toEqual(first);
      expect(await answers.recall(ann, 'key')).toEqual(first);
      expect(await answers.recall(bob, 'key')).toBeUndefined();
      await answers.keep(bob, 'key', first, 1);
      await vi.waitFor(async () => expect(await answers.recall(bob, 'key')).toBeUndefined(), EVENT_MS);
      const second = { ...first, status: 202 };
      expect(await answers.keep(bob, 'key', second, LONG_MS)).toEqual(second);
      const long = { ...first, body: 'x'.repeat(MAX_KEPT_ANSWER_BYTES + 1) };
      await expect(answers.keep(ann, 'long', long, LONG_MS)).rejects.toMatchObject({ code: 'STORE_LIMIT' });
    });
  });
}
