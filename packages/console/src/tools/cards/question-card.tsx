import { type Question, questionsIn } from '../../model/questions.ts';
import { answersOf } from '../../model/tool-outcome.ts';
import { t } from '../../words/t.ts';
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

/** What could be chosen, and what was. */
function Body({ call, folder }: CardProps) {
  const questions = questionsIn(call.input);
  const answers = new Map(answersOf(call));
  return (
    <>
      {questions.map((question) => (
        <Asked key={question.text} question={question} answer={answers.get(question.text) ?? ''} />
      ))}
      {questions.length === 0 && <Fields fields={Object.entries(call.input)} isLong />}
      {answers.size === 0 && <Output call={call} folder={folder} />}
    </>
  );
}

function Asked({ question: { text, options, left }, answer }: { question: Question; answer: string }) {
  const chosen = options.filter(({ label }) => answer.split(', ').includes(label) || answer === label);
  // Words of the person's own, too, are an answer.
  const isSaid = chosen.map(({ label }) => label).join(', ') === answer;
  return (
    <div className="asked-question">
      <p dir="auto">{text}</p>
      <ul className="asked-options">
        {options.map((option) => (
          <li key={option.label} data-chosen={chosen.includes(option)} dir="auto">
            <b>{option.label}</b> <span className="faint">{option.description}</span>
          </li>
        ))}
        {left > 0 && <li className="faint">{t.common.more(left)}</li>}
      </ul>
      {!isSaid && <p dir="auto">{answer}</p>}
    </div>
  );
}

export const questionCard: ToolCard = { Body, Peek };
