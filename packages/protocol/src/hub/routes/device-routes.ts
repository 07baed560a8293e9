import * as z from 'zod';
import { auditEntry, device, deviceGrant, deviceKind, linkGrant } from '../schema/device.ts';
import { pageOf, pageQuery, sessionId } from '../schema/values.ts';
import type { RouteTable } from './route.ts';

export const deviceRoutes = {
  'GET /api/me': {
    summary: 'Whose token this is',
    scope: 'watch',
    answer: device,
  },
  'GET /api/devices': {
    summary: 'Who holds tokens',
    scope: 'admin',
    isLong: true,
    query: z.object({ ...pageQuery, kind: deviceKind.exactOptional() }),
    answer: pageOf(device),
  },
  'POST /api/devices': {
    summary: 'Let a device in; its token is shown this once',
    scope: 'admin',
    body: deviceGrant,
    status: 201,
    answer: z.object({ device, token: z.string() }),
  },
  'DELETE /api/devices/{device}': {
    summary: 'Revoke a token, and cut all that it holds open; one that is not admin may revoke itself',
    scope: 'watch',
    answer: device,
    errors: ['STORE_NOT_FOUND'],
  },
  'POST /api/sign-in-links': {
    summary: 'A link that signs one device in, once',
    scope: 'admin',
    body: linkGrant,
    status: 201,
    answer: z.object({ path: z.string(), url: z.string() }),
  },
  'GET /api/audit': {
    summary: 'Who decided what, newest first',
    scope: 'admin',
    isLong: true,
    query: z.object({ ...pageQuery, session: sessionId.exactOptional() }),
    answer: pageOf(auditEntry),
  },
} satisfies RouteTable;
