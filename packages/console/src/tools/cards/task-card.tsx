import { textAt } from '@signalbox/protocol';
import { LongText } from '../../markdown/long-text.tsx';
import { Markdown } from '../../markdown/markdown.tsx';
import { reportOf } from '../../model/report.ts';
import { Output } from './output.tsx';
import type { CardProps, ToolCard } from './tool-card.ts';

/** Task and Agent: what a sub-agent was given to do, and its report. What it does is below the call. */
function Body({ call, folder }: CardProps) {
  const report = reportOf(call);
  return (
    <>
      <LongText text={textAt(call.input, 'prompt')} />
      {report === undefined && <Output call={call} folder={folder} />}
      {report && (
        <div className="result">
          <Markdown text={report} />
        </div>
      )}
    </>
  );
}

export const taskCard: ToolCard = { Body };
