import { answersOf } from '../../model/tool-outcome.ts';
import { Fields } from '../fields.tsx';
import { Output } from './output.tsx';
import type { CardProps, ToolCard } from './tool-card.ts';

/** AskUserQuestion, once it is answered: the answer is what matters. */
function Peek({ call }: CardProps) {
  const answers = answersOf(call);
  if (answers.length === 0) return null;
  return (
    <dl className="answers">
      {answers.map(([question, answer]) => (
        <div key={question}>
          {answers.length > 1 && <dt dir="auto">{question}</dt>}
          <dd dir="auto">{answer}</dd>
        </div>
      ))}
    </dl>
  );
}

function Body({ call, folder }: CardProps) {
  return (
    <>
      <Fields fields={Object.entries(call.input)} isLong />
      <Output call={call} folder={folder} />
    </>
  );
}

export const questionCard: ToolCard = { Body, Peek };
