import { useState } from 'react';
import type { Loop } from 'signalbox/hub';
import { changeFrom, rulesFrom } from '../model/loop-form.ts';
import { FormDialog, wordIn } from '../parts/form-dialog.tsx';
import { useHub } from '../shell/hub-context.ts';
import { t } from '../words/t.ts';
import { LoopFields } from './loop-fields.tsx';

/** Change a loop that has not ended. */
export default function EditLoopDialog({ loop, onClose }: { loop: Loop; onClose: () => void }) {
  const { api, loops } = useHub();
  // It goes on meanwhile: what is changed is what was seen.
  const [seen] = useState(loop);
  const { spec } = seen;
  const edit = async (form: FormData): Promise<void> => {
    const said = rulesFrom(
      (name) => wordIn(form, name),
      (name) => form.has(name),
    );
    const change = changeFrom(seen, said, wordIn(form, 'task'));
    if (Object.keys(change).length > 0) loops.put(await api.editLoop(loop.id, change));
  };
  return (
    <FormDialog
      title={t.loops.changeTitle}
      action={[t.common.change, t.common.changing]}
      startAt="maxIterations"
      onSubmit={edit}
      onClose={onClose}
    >
      <label>
        {spec.promptFile === null ? t.loops.task : t.loops.taskFile}
        <textarea
          name="task"
          className="field"
          dir="auto"
          rows={3}
          required
          defaultValue={spec.prompt ?? spec.promptFile ?? ''}
        />
      </label>
      <LoopFields spec={spec} />
      <p className="faint small">{t.loops.taskAbout}</p>
    </FormDialog>
  );
}
