import { textAt } from '@signalbox/protocol';
import { useMemo } from 'react';
import { changedLines } from '../../model/tool-outcome.ts';
import { Diff } from '../diff.tsx';
import { Output } from './output.tsx';
import type { CardProps, ToolCard } from './tool-card.ts';

/** Edit, MultiEdit and Write: what changes. That it was changed is no news; that it was not is. */
function Body({ call, folder }: CardProps) {
  const lines = useMemo(() => changedLines(call), [call]);
  return (
    <>
      <Diff lines={lines} path={textAt(call.input, 'file_path')} />
      {call.state !== 'done' && <Output call={call} folder={folder} />}
    </>
  );
}

export const editCard: ToolCard = { Body, isOpenByItself: true };
