import { useState } from 'react';
import type { Notice, NoticeTarget } from 'signalbox/hub';
import { problemWords } from '../model/problem-words.ts';
import { useHub, useHubView } from '../shell/hub-context.ts';
import { PageFrame } from '../shell/page-frame.tsx';
import { useMayRule } from '../shell/scope.ts';
import { t } from '../words/t.ts';
import { deliveryWords, noticeTitle, targetWords } from './notice-words.ts';
import { pushProblem, subscribeThisBrowser, unsubscribeThisBrowser } from './push-subscription.ts';
import { TargetForm } from './target-form.tsx';
import { useNotices } from './use-notices.ts';

/** Where people are told when an agent needs them, and what became of it. */
export default function NoticesPage() {
  const { targets, notices, problem, look } = useNotices();
  const { device } = useHubView();
  const mayAdd = useMayRule();
  const own = targets?.find((target) => target.device !== null && target.device === device?.id);
  const others = targets?.filter((target) => target !== own) ?? [];
  return (
    <PageFrame title={t.notices.title}>
      <p className="faint">{t.notices.about}</p>
      {problem !== '' && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <h2 className="board-title">{t.notices.thisBrowser}</h2>
      {targets && <ThisBrowser target={own} onChange={look} />}
      {(mayAdd || others.length > 0) && <h2 className="board-title">{t.notices.elsewhere}</h2>}
      {mayAdd && <TargetForm onAdded={look} />}
      {others.length > 0 && (
        <ul className="board-rows notice-rows" aria-label={t.notices.targets}>
          {others.map((target) => (
            <TargetRow key={target.id} target={target} onChange={look} />
          ))}
        </ul>
      )}
      <h2 className="board-title">{t.notices.sentLately}</h2>
      <div>
        <button type="button" className="button quiet notice-look" onClick={() => void look()}>
          {t.notices.lookAgain}
        </button>
      </div>
      {notices.length === 0 && <p className="faint">{t.notices.nothing}</p>}
      {notices.length > 0 && (
        <ul className="board-rows notice-rows" aria-label={t.notices.title}>
          {notices.map((notice) => (
            <NoticeRow key={notice.id} notice={notice} />
          ))}
        </ul>
      )}
    </PageFrame>
  );
}

/** Turn notices on this device on and off. */
function ThisBrowser({
  target,
  onChange,
}: {
  target: NoticeTarget | undefined;
  onChange: () => Promise<void>;
}) {
  const { api } = useHub();
  const [problem, setProblem] = useState('');
  const [isWorking, setWorking] = useState(false);
  const inTheWay = pushProblem();
  const isOn = target !== undefined && target.retired === null;
  const act = (work: () => Promise<unknown>): void => {
    setWorking(true);
    setProblem('');
    work()
      .then(onChange)
      .catch((error: unknown) => setProblem(problemWords(error)))
      .finally(() => setWorking(false));
  };
  const turnOff = async (): Promise<void> => {
    if (target) await api.removeNoticeTarget(target.id);
    await unsubscribeThisBrowser();
  };
  return (
    <div className="notice-browser">
      <p>
        {isOn ? t.notices.shownHere(target.mayAnswer) : (inTheWay ?? t.notices.offHere)}
        {target?.retired && ` ${t.notices.ended(target.retired.why)}`}
      </p>
      <div className="notice-acts">
        {!isOn && inTheWay === undefined && (
          <button
            type="button"
            className="button primary"
            disabled={isWorking}
            onClick={() => act(() => subscribeThisBrowser(api))}
          >
            {t.notices.turnOn}
          </button>
        )}
        {isOn && <TestButton target={target} onTested={onChange} />}
        {isOn && (
          <button type="button" className="button" disabled={isWorking} onClick={() => act(turnOff)}>
            {t.notices.turnOff}
          </button>
        )}
      </div>
      {problem !== '' && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

function TestButton({ target, onTested }: { target: NoticeTarget; onTested: () => Promise<void> }) {
  const { api } = useHub();
  const [said, setSaid] = useState('');
  const test = (): void => {
    setSaid(t.common.sending);
    api
      .testNoticeTarget(target.id)
      .then(onTested)
      .then(() => setSaid(''))
      .catch((error: unknown) => setSaid(problemWords(error)));
  };
  return (
    <>
      <button type="button" className="button" onClick={test} disabled={said === t.common.sending}>
        {t.notices.sendTest}
      </button>
      <span role="status" className="faint">
        {said}
      </span>
    </>
  );
}

function TargetRow({ target, onChange }: { target: NoticeTarget; onChange: () => Promise<void> }) {
  const { api } = useHub();
  const [problem, setProblem] = useState('');
  const remove = (): void => {
    api
      .removeNoticeTarget(target.id)
      .then(onChange)
      .catch((error: unknown) => setProblem(problemWords(error)));
  };
  return (
    <li className="notice-row" data-retired={target.retired !== null}>
      <span className="notice-name">{target.name}</span>
      <span className="faint notice-what">{targetWords(target)}</span>
      <span className="notice-acts">
        {target.retired === null && <TestButton target={target} onTested={onChange} />}
        <button
          type="button"
          className="button quiet"
          onClick={remove}
          aria-label={t.notices.removeNamed(target.name)}
        >
          {t.common.remove}
        </button>
      </span>
      {problem !== '' && (
        <span className="problem" role="alert">
          {problem}
        </span>
      )}
    </li>
  );
}

function NoticeRow({ notice }: { notice: Notice }) {
  const { sessions } = useHubView();
  return (
    <li className="notice-row">
      <span className="notice-name">{noticeTitle(notice, sessions)}</span>
      {notice.body !== '' && <span className="faint notice-what">{t.notices.body(notice.body)}</span>}
      {notice.deliveries.map((delivery) => (
        <span key={delivery.id} className="notice-outcome" data-state={delivery.state}>
          {deliveryWords(delivery)}
        </span>
      ))}
    </li>
  );
}
