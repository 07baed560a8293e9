import { objectAt } from '@signalbox/protocol';
import { type FormEvent, useId, useState } from 'react';
import type { PermissionRequest } from 'signalbox/hub';
import { MAX_DRAWN } from '../model/many.ts';
import {
  type Choice,
  choose,
  type Question,
  questionAnswer,
  questionsIn,
  write,
} from '../model/questions.ts';
import { t } from '../words/t.ts';
import { Card } from './card.tsx';
import type { Answering } from './use-answer.ts';

const NOTHING: Choice = { labels: [], words: '' };

/** Questions of the agent, each with its options and room for other words. */
export function QuestionCard({ ask, answering }: { ask: PermissionRequest; answering: Answering }) {
  const asked = questionsIn(objectAt(ask.request, 'input'));
  const isTooLong = asked.length > MAX_DRAWN;
  const questions = isTooLong ? [] : asked;
  const [choices, setChoices] = useState<readonly Choice[]>(() => questions.map(() => NOTHING));
  const formId = useId();
  const { answer, isLocked, problem } = answering;
  const ready = questionAnswer(questions, choices);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (ready) answer(ready);
  };
  return (
    <Card
      title={asked.length > 1 ? t.asks.questions(asked.length) : questions[0]?.header || t.asks.question}
      problem={problem}
      foot={() => (
        <div className="buttons">
          <button
            type="submit"
            form={formId}
            className="button primary"
            disabled={isLocked || isTooLong || !ready}
          >
            {t.asks.answer}
          </button>
          <button
            type="button"
            className="button"
            disabled={isLocked}
            onClick={() => answer({ behavior: 'deny', message: 'The user does not want to answer this.' })}
          >
            {t.asks.noAnswer}
          </button>
        </div>
      )}
    >
      {isTooLong && <p className="problem">{t.asks.tooMany}</p>}
      <form id={formId} onSubmit={submit}>
        {questions.map((question, index) => (
          <QuestionFields
            key={question.text}
            question={question}
            choice={choices[index] ?? NOTHING}
            onChoice={(choice) => setChoices((all) => all.with(index, choice))}
          />
        ))}
      </form>
    </Card>
  );
}

function QuestionFields({
  question,
  choice,
  onChoice,
}: {
  question: Question;
  choice: Choice;
  onChoice: (choice: Choice) => void;
}) {
  const name = useId();
  return (
    <fieldset className="question">
      <legend>{question.text}</legend>
      {question.options.map(({ label, description }) => (
        <label key={label} className="option">
          <input
            type={question.isMulti ? 'checkbox' : 'radio'}
            name={name}
            checked={choice.labels.includes(label)}
            onChange={() => onChoice(choose(question, choice, label))}
          />
          <span>
            <b>{label}</b>
            {description !== '' && <span className="faint"> {description}</span>}
          </span>
        </label>
      ))}
      {question.left > 0 && <p className="faint">{t.asks.moreOptions(question.left)}</p>}
      <input
        className="field"
        aria-label={t.asks.ownWordsFor(question.text)}
        placeholder={t.asks.ownWords}
        value={choice.words}
        onChange={(event) => onChoice(write(question, choice, event.target.value))}
      />
    </fieldset>
  );
}
