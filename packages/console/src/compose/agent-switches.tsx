import { useId, useRef, useState } from 'react';
import type { Session, SessionState } from 'signalbox/hub';
import { type AgentFacts, modelsIn, type OfferedModel } from '../model/agent-facts.ts';
import { problemWords } from '../model/problem-words.ts';
import { isScripted, modelWords } from '../model/scripted.ts';
import { useCommands } from '../palette/commands.ts';
import { useHub } from '../shell/hub-context.ts';
import { useMayDrive } from '../shell/scope.ts';
import { t } from '../words/t.ts';

const THINKING = [
  [undefined, t.compose.thinkingAsSet],
  ['on', t.compose.on],
  ['off', t.compose.off],
] as const;

/** Tokens to think with where somebody wants it: what agents take for as much as they need. */
const THINKING_TOKENS = 31_999;

/** Which model answers, and whether it thinks first: said at the box, and changed from there. */
export function AgentSwitches({
  session,
  activity,
  facts,
  onProblem,
}: {
  session: Session;
  activity: SessionState;
  facts: AgentFacts;
  onProblem: (words: string) => void;
}) {
  const { stream } = useHub();
  const mayDrive = useMayDrive();
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const [models, setModels] = useState<readonly OfferedModel[]>();
  const [other, setOther] = useState('');
  const isAway = activity === 'exited' || activity === 'disconnected' || activity === 'starting';
  const words = modelWords(session);
  const canSwitch = mayDrive && !isAway && !isScripted(session);
  useCommands(
    canSwitch
      ? [
          {
            title: t.compose.switchModel,
            words: t.compose.switchModelWords,
            group: 'session',
            run: () => menu.current?.showPopover(),
          },
        ]
      : [],
  );
  if (!canSwitch) return <span className="model">{words}</span>;

  const load = (): void => {
    stream.control(session.id, { subtype: 'list_models' }).then(
      (answer) => setModels(modelsIn(answer)),
      // An agent of before offers none: a name can be typed.
      () => setModels([]),
    );
  };
  const change = (request: { subtype: string; [field: string]: unknown }): void => {
    menu.current?.hidePopover();
    onProblem('');
    stream
      .control(session.id, request)
      .catch((error: unknown) => onProblem(t.compose.notSwitched(problemWords(error))));
  };
  return (
    <>
      <button
        type="button"
        className="model status-button"
        popoverTarget={id}
        title={t.compose.modelAndThinking}
      >
        {words || t.compose.model}
        {facts.thinking === 'off' && t.compose.noThinking}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        className="menu switches"
        role="group"
        aria-label={t.compose.modelAndThinking}
        onToggle={({ newState }) => newState === 'open' && models === undefined && load()}
      >
        <p className="faint small">{t.compose.modelFromNext}</p>
        {models === undefined && <p className="faint small">{t.compose.askingAgent}</p>}
        {models?.map(({ value, title, description }) => (
          <button
            key={value}
            type="button"
            className="button quiet"
            title={description}
            onClick={() => change({ subtype: 'set_model', model: value })}
          >
            {title}
          </button>
        ))}
        <form
          className="switches-other"
          onSubmit={(event) => {
            event.preventDefault();
            if (other.trim() !== '') change({ subtype: 'set_model', model: other.trim() });
          }}
        >
          <input
            className="field mono"
            aria-label={t.compose.anotherModelLabel}
            placeholder={t.compose.anotherModel}
            autoCapitalize="off"
            spellCheck={false}
            value={other}
            onChange={({ target }) => setOther(target.value)}
          />
          <button type="submit" className="button" disabled={other.trim() === ''}>
            {t.compose.switchTo}
          </button>
        </form>
        <fieldset className="switches-thinking">
          <legend className="faint small">{t.compose.thinking}</legend>
          {THINKING.map(([value, name]) => (
            <button
              key={name}
              type="button"
              className="button"
              aria-pressed={facts.thinking === value}
              onClick={() =>
                change({
                  subtype: 'set_max_thinking_tokens',
                  max_thinking_tokens: value === undefined ? null : value === 'on' ? THINKING_TOKENS : 0,
                })
              }
            >
              {name}
            </button>
          ))}
        </fieldset>
      </div>
    </>
  );
}
