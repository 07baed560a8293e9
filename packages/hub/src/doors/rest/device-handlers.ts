import type { deviceRoutes } from '@signalbox/protocol/hub/routes';
import type { DeviceService } from '../../service/device-service.ts';
import type { HandlersOf } from './handler.ts';

/** `url` is where people find the hub: the links that hand out tokens lead there. */
export function deviceHandlers(devices: DeviceService, url: string): HandlersOf<typeof deviceRoutes> {
  return {
    'GET /api/me': async ({ device }) => device,
    'GET /api/devices': ({ device, query }) => devices.devices(device, query),
    'POST /api/devices': ({ device, body }) => devices.addDevice(device, body),
    'DELETE /api/devices/{device}': ({ device, params }) => devices.revoke(device, params.device),
    'POST /api/sign-in-links': async ({ device, body }) => {
      const { person = device.person, name = 'browser', scope = device.scope, ...rest } = body;
      const path = `/sign-in#${await devices.createLink(device, { person, name, scope, ...rest })}`;
      return { path, url: url + path };
    },
    'GET /api/audit': ({ device, query }) => devices.audit(device, query),
  };
}
