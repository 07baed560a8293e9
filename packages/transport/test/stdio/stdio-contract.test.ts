import { expect } from 'vitest';
import { describeTransportContract } from '../contract.ts';
import { bundledScript } from './bundled-script.ts';
import { connectStdio } from './remote-transport.ts';

const remoteEnd = bundledScript('remote-end.ts');

describeTransportContract('stdio, host on the left and program on the right', {
  halfOpen: 'right',
  maxBytesUnderWay: 4 * 1024 * 1024,
  connect: async () => {
    const { host, program } = await connectStdio(remoteEnd.path);
    return {
      left: host,
      right: program,
      cleanup: async () => {
        program.release();
        host.kill('SIGKILL');
        await host.close();
        expect(host.stderrTail).toBe('');
      },
    };
  },
});
