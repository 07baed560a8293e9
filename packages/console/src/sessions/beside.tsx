import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { useCommands } from '../palette/commands.ts';
import { SplitIcon } from '../parts/icons.tsx';
import { useRemembered } from '../parts/remembered.ts';
import { useMedia } from '../parts/use-media.ts';
import { t } from '../words/t.ts';

/** With less, both would be too narrow to be read. */
const WIDE = '(min-width: 1200px)';

const [LEAST, MOST, STEP] = [30, 70, 2];

/** Whether the changes stand beside the transcript, on a screen that has the room; this browser remembers it. */
export function useBeside(onChange: () => void): { isBeside: boolean; button: React.ReactNode } {
  const [choice, choose] = useRemembered('changes-beside', 'no');
  const isWide = useMedia(WIDE);
  const isBeside = isWide && choice === 'yes';
  const toggle = (): void => {
    choose(isBeside ? 'no' : 'yes');
    onChange();
  };
  const title = isBeside ? t.sessions.transcriptAlone : t.sessions.changesBeside;
  useCommands(isWide ? [{ title, words: t.sessions.besideWords, group: 'session', run: toggle }] : []);
  const button = isWide && (
    <button
      type="button"
      className="icon-button"
      aria-label={t.sessions.changesBeside}
      aria-pressed={isBeside}
      title={title}
      onClick={toggle}
    >
      <SplitIcon />
    </button>
  );
  return { isBeside, button };
}

/** The share of the width that the transcript has, in percent. */
export function useShare(): [number, (share: number) => void] {
  const [kept, keep] = useRemembered('changes-share', '50');
  const number = Number(kept);
  return [Number.isFinite(number) ? bounded(number) : 50, (share) => keep(String(bounded(share)))];
}

/** Between the two: moved by the pointer, or by the arrows. */
export function Divider({ share, onShare }: { share: number; onShare: (share: number) => void }) {
  const [isMoving, setMoving] = useState(false);
  const move = ({ currentTarget, clientX }: PointerEvent<HTMLElement>): void => {
    const { left = 0, width = 1 } = currentTarget.parentElement?.getBoundingClientRect() ?? {};
    const along = ((clientX - left) / width) * 100;
    onShare(getComputedStyle(currentTarget).direction === 'rtl' ? 100 - along : along);
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const isReversed = getComputedStyle(event.currentTarget).direction === 'rtl';
    onShare(share + (isReversed ? -step : step));
  };
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={t.sessions.transcriptWidth}
      aria-valuenow={Math.round(share)}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      tabIndex={0}
      className="divider"
      data-moving={isMoving}
      onKeyDown={onKey}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setMoving(true);
      }}
      onPointerMove={(event) => isMoving && move(event)}
      onPointerUp={() => setMoving(false)}
      onPointerCancel={() => setMoving(false)}
    />
  );
}

function bounded(share: number): number {
  return Math.min(MOST, Math.max(LEAST, share));
}
