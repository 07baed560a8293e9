/** Who wrote a line, or decided something. Names of devices repeat; records of earlier versions have no `deviceId`. */
export type Author =
  | { by: 'agent' }
  | { by: 'hub' }
  | { by: 'person'; name: string; device: string; deviceId?: string };
