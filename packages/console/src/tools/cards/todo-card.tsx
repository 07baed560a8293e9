import { listAt, textAt } from '@signalbox/protocol';
import { firstOf } from '../../model/many.ts';
import { t } from '../../words/t.ts';
import { Output } from './output.tsx';
import type { CardProps, ToolCard } from './tool-card.ts';

const WORDS: Record<string, string> = {
  completed: t.tools.done,
  in_progress: t.tools.atIt,
  pending: t.tools.toDo,
};

/** TodoWrite: a checklist. */
function Body({ call, folder }: CardProps) {
  const [shown, rest] = firstOf(listAt(call.input, 'todos'));
  return (
    <>
      <ul className="todos">
        {shown.map((todo, index) => {
          const status = textAt(todo, 'status');
          const isNow = status === 'in_progress';
          return (
            <li key={index} data-status={status}>
              <span className="unseen">{WORDS[status] ?? status}: </span>
              {(isNow && textAt(todo, 'activeForm')) || textAt(todo, 'content')}
            </li>
          );
        })}
        {rest.length > 0 && <li className="faint">{t.common.more(rest.length)}</li>}
      </ul>
      {call.state !== 'done' && <Output call={call} folder={folder} />}
    </>
  );
}

export const todoCard: ToolCard = { Body, isOpenByItself: true };
