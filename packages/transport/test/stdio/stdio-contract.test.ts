import { expect } from 'vitest';
import { builtProgram } from '../../../../test/programs.ts';
import { describeTransportContract } from '../contract.ts';
import { connectStdio } from './remote-transport.ts';

const remoteEnd = builtProgram('packages/transport/test/stdio/remote-end.ts');

describeTransportContract('stdio, host on the left and program on the right', {
  halfOpen: 'right',
  maxBytesUnderWay: 4 * 1024 * 1024,
  connect: async () => {
    const { host, program } = await connectStdio(remoteEnd);
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
