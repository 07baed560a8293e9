import type { LoopChange, LoopSpec } from '@signalbox/protocol/hub';

/** A spec with what somebody has changed of it. */
export function changedSpec(spec: LoopSpec, change: Omit<LoopChange, 'version'>): LoopSpec {
  const { prompt, promptFile, untilText, untilCommand, budgetUsd, ...others } = change;
  const changed: LoopSpec = { ...spec, ...others };
  if (prompt !== undefined) Object.assign(changed, { prompt, promptFile: null });
  if (promptFile !== undefined) Object.assign(changed, { prompt: null, promptFile });
  for (const [name, value] of Object.entries({ untilText, untilCommand, budgetUsd })) {
    if (value !== undefined && value !== null) Object.assign(changed, { [name]: value });
  }
  if (untilText === null) delete changed.untilText;
  if (untilCommand === null) delete changed.untilCommand;
  if (budgetUsd === null) delete changed.budgetUsd;
  return changed;
}
