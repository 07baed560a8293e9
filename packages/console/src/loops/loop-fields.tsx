import type { Loop } from 'signalbox/hub';
import { useMayRemove } from '../shell/scope.ts';

/** Until when a loop goes on; the same fields for a new one and for one that is changed. */
export function LoopFields({ spec }: { spec?: Loop['spec'] }) {
  // A condition command is run by the hub itself.
  const mayRunCommands = useMayRemove();
  return (
    <>
      <div className="pair">
        <label>
          Iterations at most
          <input
            name="maxIterations"
            className="field"
            type="number"
            min={1}
            max={1000}
            required
            defaultValue={spec?.maxIterations ?? 10}
          />
        </label>
        <label>
          Budget in $
          <input
            name="budgetUsd"
            className="field"
            type="number"
            min={0.01}
            step="any"
            placeholder="none"
            defaultValue={spec?.budgetUsd}
          />
        </label>
      </div>
      <label>
        Done when the agent says
        <input
          name="untilText"
          className="field"
          dir="auto"
          maxLength={1000}
          placeholder="ALL DONE (optional)"
          defaultValue={spec?.untilText}
        />
      </label>
      <label>
        Done when this command exits with 0
        <input
          name="untilCommand"
          className="field mono"
          autoCapitalize="off"
          spellCheck={false}
          readOnly={!mayRunCommands}
          placeholder={mayRunCommands ? 'npm test (optional)' : 'takes the scope admin'}
          defaultValue={spec?.untilCommand}
        />
      </label>
      <label className="option">
        <input type="checkbox" name="pauseOnFailure" defaultChecked={spec?.pauseOnFailure} />
        <span>Wait for somebody after an iteration that failed</span>
      </label>
      <label className="option">
        <input type="checkbox" name="allowAll" defaultChecked={spec?.allowAll} />
        <span>Allow all that its agents ask for, in my name</span>
      </label>
    </>
  );
}
