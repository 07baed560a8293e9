import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { PAGES } from './lean-worker.ts';

const CONSOLE = 'packages/console/';

/** What takes longest, where nothing is known of an earlier run: begun last, each would be waited for alone. */
const SLOW = [
  'packages/hub/test/chaos/database-away.test.ts',
  'packages/sdk/test/package/package.test.ts',
  'packages/hub/test/chaos/costly.test.ts',
  'packages/hub/test/chaos/long-texts.test.ts',
  'packages/hub/test/nodes/node-faults.test.ts',
  'packages/console/test/first-screen.test.ts',
  'packages/cli/test/run.test.ts',
  'packages/model/test/real-claude.test.ts',
  'packages/hub/test/nodes/failover.test.ts',
  'packages/hub/test/store/copy/copy.test.ts',
  'packages/console/test/pictures.test.ts',
  'packages/console/test/approving.test.ts',
  'packages/chat/test/chat.test.ts',
  'packages/transport/test/hybrid/hybrid-contract.test.ts',
  'packages/hub/test/bridge/outage.test.ts',
  'packages/hub/test/loops/loops.test.ts',
  'packages/cli/test/loop.test.ts',
  'packages/console/test/hub-restart.test.ts',
  'packages/console/test/terminal-programs.test.ts',
  'packages/console/test/changes.test.ts',
  'packages/cli/test/attach.test.ts',
  'packages/cli/test/scripts.test.ts',
  'packages/hub/test/terminal/terminals.test.ts',
  'packages/agent/test/permission/shell-lines.test.ts',
  'packages/console/test/german.test.ts',
  'packages/hub/test/store/postgres-lead.test.ts',
  'packages/hub/test/launch/agent-life.test.ts',
  'packages/console/test/composing.test.ts',
  'packages/agent/test/mcp/connecting.test.ts',
  'packages/console/test/in-sync.test.ts',
  'packages/hub/test/store/postgres-faults.test.ts',
  'packages/agent/test/session/claude.test.ts',
  'packages/hub/test/bridge/life.test.ts',
  'packages/hub/test/nodes/nodes.test.ts',
  'packages/transport/test/stdio/stdio-contract.test.ts',
  'packages/console/test/accessibility.test.ts',
  'packages/cli/test/own-token.test.ts',
  'packages/sdk/test/contract.test.ts',
  'packages/hub/test/chaos/faults.test.ts',
  'packages/cli/test/signalbox.test.ts',
  'packages/console/test/server-asks.test.ts',
  'packages/protocol/test/permission/real-bash.test.ts',
  'packages/chat/test/wire-chat.test.ts',
  'packages/hub/test/store/sqlite-store.test.ts',
  'packages/hub/test/store/sqlite-search.test.ts',
  'packages/cli/test/answer.test.ts',
];

/** So many of them take longer than all of those that look at pages. */
const LONGEST = 5;

/**
 * Files with a process of their own come first, since one of them between two that share a process would end it; then the slow
 * ones, and the others in the order that vitest gives them. Those that look at pages come together, behind the longest: between others
 * they would end a process, and its browser.
 */
export class Sequence extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const slow = SLOW.filter((path) => !path.startsWith(CONSOLE));
    const rank = ({ project, moduleId }: TestSpecification): number => {
      if (project.config.isolate) return -1;
      if (project.name === PAGES) {
        const at = SLOW.findIndex((path) => moduleId.endsWith(path));
        return LONGEST - 1 + (at === -1 ? 0.9 : (at + 1) / (2 * SLOW.length));
      }
      const at = slow.findIndex((path) => moduleId.endsWith(path));
      return at === -1 ? slow.length : at;
    };
    // oxlint-disable-next-line unicorn/no-array-sort -- no array's
    const usual = await super.sort(files);
    return usual.toSorted((a, b) => rank(a) - rank(b));
  }
}
