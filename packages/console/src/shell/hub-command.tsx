import { Sentence } from '../words/sentence.tsx';
import { t } from '../words/t.ts';
/** A command on the machine of the hub. Nobody can tell from here whether it was installed there, or runs in a clone. */
export function HubCommand({ words }: { words: 'up' | 'link' }) {
  return (
    <>
      <Sentence
        of={t.shell.inClone(
          <code>signalbox {words}</code>,
          <code>{words === 'up' ? 'npm start' : `npx signalbox ${words}`}</code>,
        )}
      />
    </>
  );
}
