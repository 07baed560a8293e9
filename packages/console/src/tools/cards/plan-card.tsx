import { textAt } from '@signalbox/protocol';
import { Markdown } from '../../markdown/markdown.tsx';
import { Output } from './output.tsx';
import type { CardProps, ToolCard } from './tool-card.ts';

/** ExitPlanMode: the plan. */
function Body({ call, folder }: CardProps) {
  return (
    <>
      <Markdown text={textAt(call.input, 'plan')} />
      <Output call={call} folder={folder} />
    </>
  );
}

export const planCard: ToolCard = { Body };
