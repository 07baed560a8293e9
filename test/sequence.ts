import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes longest, where nothing is known of an earlier run: begun last, each would be waited for alone. */
const SLOW = [
  'packages/sdk/test/package/package.test.ts',
  'packages/hub/test/chaos/costly.test.ts',
  'packages/hub/test/store/copy/copy.test.ts',
  'packages/cli/test/store-copy.test.ts',
  'packages/model/test/real-claude.test.ts',
  'packages/console/test/terminal-programs.test.ts',
  'packages/console/test/first-screen.test.ts',
  'packages/cli/test/run.test.ts',
  'packages/agent/test/session/claude.test.ts',
  'packages/console/test/approving.test.ts',
  'packages/transport/test/hybrid/hybrid-contract.test.ts',
  'packages/hub/test/chaos/floods.test.ts',
  'packages/hub/test/loops/loops.test.ts',
  'packages/hub/test/loops/killed-hub.test.ts',
  'packages/cli/test/loop.test.ts',
  'packages/console/test/loops.test.ts',
  'packages/protocol/test/permission/shell-fuzz.test.ts',
];

/**
 * Files with a process of their own come first, since one of them between two that share a process would end it; then the slow
 * ones, and the others in the order that vitest gives them.
 */
export class Sequence extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification): number => {
      if (project.config.isolate) return -1;
      const at = SLOW.findIndex((path) => moduleId.endsWith(path));
      return at === -1 ? SLOW.length : at;
    };
    // oxlint-disable-next-line unicorn/no-array-sort -- no array's
    const usual = await super.sort(files);
    return usual.toSorted((a, b) => rank(a) - rank(b));
  }
}
