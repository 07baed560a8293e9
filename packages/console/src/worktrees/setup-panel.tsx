import { useEffect, useRef } from 'react';
import type { Session } from 'signalbox/hub';
import { ScrollBox } from '../parts/scroll-box.tsx';
import { TerminalText } from '../parts/terminal-text.tsx';
import { t } from '../words/t.ts';
import { useSetupOutput } from './use-setup-output.ts';

/** Above the transcript, while the set-up of a session's worktree runs: what it says. A failure is in the transcript. */
export function SetupPanel({ session, activity }: { session: Session; activity: string }) {
  const setup = useSetupOutput(session, activity);
  const text = useRef<HTMLPreElement>(null);
  const output = setup?.output ?? '';
  useEffect(() => {
    const box = text.current?.parentElement;
    if (box) box.scrollTop = box.scrollHeight;
  }, [output]);
  if (setup?.state !== 'running') return null;
  return (
    <section className="setup" aria-label={t.worktrees.setUp}>
      <p role="status">{t.worktrees.setUpAbout}</p>
      <code className="setup-command">{setup.command}</code>
      <ScrollBox className="setup-output" label={t.worktrees.setUpOutput}>
        <pre ref={text}>{output === '' ? t.worktrees.setUpSilent : <TerminalText text={output} />}</pre>
      </ScrollBox>
    </section>
  );
}
