import { signalboxHome } from '@signalbox/hub/bridge';
import { checkClock, checkDatabase, checkDisk, checkFolder, checkToken } from './data-checks.ts';
import type { Finding } from './finding.ts';
import { checkHub, checkNodes, checkPorts, checkStorage, runningHub } from './hub-checks.ts';
import { checkAgents, checkKey, checkNode, checkRipgrep, checkSandbox } from './program-checks.ts';

/** All that is worth looking at on this machine, in the order in which it is told. */
export async function checkAll(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const home = signalboxHome(env);
  const hub = await runningHub(env);
  return [
    checkNode(),
    checkFolder(home),
    await checkDatabase(home, hub),
    ...(await checkStorage(hub)),
    checkToken(home),
    await checkHub(hub),
    ...(await checkNodes(hub)),
    await checkPorts(hub),
    ...(await checkAgents(env)),
    checkKey(env),
    await checkRipgrep(env),
    await checkSandbox(env),
    checkDisk(home),
    checkClock(home),
  ];
}
