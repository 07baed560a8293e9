import * as z from 'zod';
import type { Desk } from './desk.ts';
import { nothing, type Route, route } from './route.ts';
import * as schema from './schemas.ts';

/** Tokens, the links that hand them out (at `url`, where people find the hub), and who did what with them. */
export function deviceRoutes(desk: Desk, url: string): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/me',
      summary: 'Whose token this is',
      scope: 'watch',
      params: nothing,
      query: nothing,
      body: nothing,
      status: 200,
      answer: schema.device,
      handle: async ({ device }) => device,
    }),
    route({
      method: 'get',
      path: '/api/devices',
      isLong: true,
      summary: 'Who holds tokens',
      scope: 'admin',
      params: nothing,
      query: z.object({ ...schema.pageQuery, kind: schema.deviceKind.exactOptional() }),
      body: nothing,
      status: 200,
      answer: schema.pageOf(schema.device),
      handle: ({ device, query }) => desk.devices(device, query),
    }),
    route({
      method: 'post',
      path: '/api/devices',
      summary: 'Let a device in; its token is shown this once',
      scope: 'admin',
      params: nothing,
      query: nothing,
      body: schema.grant,
      status: 201,
      answer: z.object({ device: schema.device, token: z.string() }),
      handle: ({ device, body }) => desk.addDevice(device, body),
    }),
    route({
      method: 'delete',
      path: '/api/devices/{device}',
      summary: 'Revoke a token, and cut all that it holds open',
      scope: 'admin',
      params: z.object({ device: z.string() }),
      query: nothing,
      body: nothing,
      status: 200,
      answer: schema.device,
      handle: ({ device, params }) => desk.revoke(device, params.device),
    }),
    route({
      method: 'post',
      path: '/api/sign-in-links',
      summary: 'A link that signs one device in, once',
      scope: 'admin',
      params: nothing,
      query: nothing,
      body: schema.linkGrant,
      status: 201,
      answer: z.object({ path: z.string(), url: z.string() }),
      handle: async ({ device, body }) => {
        const { person = device.person, name = 'browser', scope = device.scope, ...rest } = body;
        const path = `/sign-in#${await desk.createLink(device, { person, name, scope, ...rest })}`;
        return { path, url: url + path };
      },
    }),
    route({
      method: 'get',
      path: '/api/audit',
      isLong: true,
      summary: 'Who decided what, newest first',
      scope: 'admin',
      params: nothing,
      query: z.object({ ...schema.pageQuery, session: schema.sessionId.exactOptional() }),
      body: nothing,
      status: 200,
      answer: schema.pageOf(schema.auditEntry),
      handle: ({ device, query }) => desk.audit(device, query),
    }),
  ];
}
