import type { Loop } from 'signalbox/hub';
import { useMayRemove } from '../shell/scope.ts';
import { t } from '../words/t.ts';

/** Until when a loop goes on; the same fields for a new one and for one that is changed. */
export function LoopFields({ spec }: { spec?: Loop['spec'] }) {
  // A condition command is run by the hub itself.
  const mayRunCommands = useMayRemove();
  return (
    <>
      <div className="pair">
        <label>
          {t.loops.most}
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
          {t.loops.budget}
          <input
            name="budgetUsd"
            className="field"
            type="number"
            min={0.01}
            step="any"
            placeholder={t.loops.none}
            defaultValue={spec?.budgetUsd}
          />
        </label>
      </div>
      <label>
        {t.loops.untilText}
        <input
          name="untilText"
          className="field"
          dir="auto"
          maxLength={1000}
          placeholder={t.loops.untilTextHint}
          defaultValue={spec?.untilText}
        />
      </label>
      <label>
        {t.loops.untilCommand}
        <input
          name="untilCommand"
          className="field mono"
          autoCapitalize="off"
          spellCheck={false}
          readOnly={!mayRunCommands}
          placeholder={mayRunCommands ? t.loops.untilCommandHint : t.loops.needsAdmin}
          defaultValue={spec?.untilCommand}
        />
      </label>
      <label className="option">
        <input type="checkbox" name="pauseOnFailure" defaultChecked={spec?.pauseOnFailure} />
        <span>{t.loops.pauseOnFailure}</span>
      </label>
      <label className="option">
        <input type="checkbox" name="allowAll" defaultChecked={spec?.allowAll} />
        <span>{t.loops.allowAll}</span>
      </label>
    </>
  );
}
