import type { ChildTransport } from '@signalbox/transport/stdio';

const living = new Set<ChildTransport>();

/** An agent must not outlive its host: nobody would read it, answer it or end it. */
export function endWithHost(agent: ChildTransport): void {
  if (living.size === 0) process.on('exit', endAll);
  living.add(agent);
  void agent.exited.then(() => {
    living.delete(agent);
    if (living.size === 0) process.off('exit', endAll);
  });
}

function endAll(): void {
  for (const agent of living) agent.kill('SIGKILL');
}
