import { shortInput } from '@signalbox/protocol';
import { SCRIPTED_AGENT } from '@signalbox/protocol/hub';
import { createContext, memo, type ReactNode, useContext } from 'react';
import { GoBackContext } from '../go-back/go-back-context.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { duration } from '../model/duration.ts';
import type { Item, PromptItem, ReplyItem, StartItem, TurnDifference, TurnEndItem } from '../model/item.ts';
import { type RunItem, runWords, withRuns } from '../model/runs.ts';
import { Disclosure } from '../parts/disclosure.tsx';
import { WarningIcon } from '../parts/icons.tsx';
import { go, pathOf } from '../shell/route.ts';
import { CallView } from '../tools/call-view.tsx';
import { clock, money } from '../words/format.ts';
import { t } from '../words/t.ts';
import { MessageRow } from './message-row.tsx';

/** Whether a script answers: what it would have cost is of no interest. */
export const ScriptedContext = createContext(false);

/** Shows what a turn changed. */
export const OpenTurnContext = createContext<(turn: number) => void>(() => {});

/** How many calls of a run are named in its row: there is room for no more. */
const NAMED_CALLS = 12;

/** One row of a transcript, drawn again when it is another item. */
export const ItemView = memo(drawItem);

function drawItem({ item, folder }: { item: Item | RunItem; folder: string | null }): ReactNode {
  switch (item.kind) {
    case 'prompt':
      return <PromptRow item={item} />;
    case 'text':
      return <ReplyRow item={item} />;
    case 'thinking':
      return <ThinkingRow item={item} />;
    case 'call':
      return (
        <CallView call={item} folder={folder}>
          {withRuns(item.children).map((child) => (
            <ItemView key={child.key} item={child} folder={folder} />
          ))}
        </CallView>
      );
    case 'run':
      return <RunRow run={item} folder={folder} />;
    case 'turn-end':
      return <TurnEndRow item={item} />;
    case 'note':
      if (item.tone === 'mark')
        return (
          <div className="row mark" role="separator">
            <span dir="auto">
              {item.text}
              {item.session !== undefined && <OtherSession id={item.session} />}
            </span>
          </div>
        );
      return (
        <div className="row note" data-tone={item.tone}>
          {item.tone !== 'quiet' && <WarningIcon />}
          {item.detail === undefined ? (
            <span dir="auto">{item.text}</span>
          ) : (
            <Disclosure name={item.key} summary={item.text} isOpenByItself={item.tone === 'error'}>
              <pre className="code">{item.detail}</pre>
            </Disclosure>
          )}
        </div>
      );
    case 'start':
      return <StartRow item={item} />;
    case 'unknown':
      return (
        <div className="row note">
          <Disclosure name={item.key} summary={item.title || t.transcript.unknown}>
            <pre className="code">{item.source}</pre>
          </Disclosure>
        </div>
      );
  }
}

function ReplyRow({ item }: { item: ReplyItem }) {
  const goBack = useContext(GoBackContext);
  const { text, seq, isLive } = item;
  const goOn = goBack && seq !== undefined ? () => goBack({ of: 'reply', seq, text }) : undefined;
  return (
    <MessageRow kind="reply" text={text} seq={seq} onBack={goOn}>
      <Markdown text={text} isLive={isLive} />
    </MessageRow>
  );
}

function PromptRow({ item }: { item: PromptItem }) {
  const goBack = useContext(GoBackContext);
  return (
    <MessageRow
      kind="prompt"
      text={item.text}
      seq={item.seq}
      // What the agent told itself is no prompt that the hub knows.
      onBack={
        goBack && item.who !== '' ? () => goBack({ of: 'prompt', seq: item.seq, text: item.text }) : undefined
      }
    >
      <div className="prompt-who faint">
        {item.who}
        {item.time !== undefined && <time> {clock(item.time)}</time>}
      </div>
      <div className="prompt-text" dir="auto">
        {item.text}
      </div>
      {item.files.map(({ name, text }, index) => (
        <Disclosure key={index} name={`${item.key}-file-${index}`} summary={<bdi>{name}</bdi>}>
          <pre className="code">{text}</pre>
        </Disclosure>
      ))}
      {item.images.map((source, index) => (
        <img key={index} src={source} alt={t.transcript.attached} className="picture" />
      ))}
    </MessageRow>
  );
}

/** Calls that only looked at something: which, for those who want to know. */
function RunRow({ run, folder }: { run: RunItem; folder: string | null }) {
  const { calls } = run;
  const isAtIt = calls.at(-1)?.state === 'running';
  const names = [...new Set(calls.map(({ name, input }) => shortInput(name, input, folder)))];
  return (
    <div className="row call run" data-seq={calls[0]?.seq} data-state={isAtIt ? 'running' : 'done'}>
      <Disclosure
        name={run.key}
        summary={
          <>
            <span className="call-name">{runWords(calls)}</span>
            <span className="call-input">{names.slice(0, NAMED_CALLS).join(', ')}</span>
            {isAtIt && <span className="call-state">{t.transcript.running}</span>}
          </>
        }
      >
        <div className="run-calls">
          {calls.map((call) => (
            <ItemView key={call.key} item={call} folder={folder} />
          ))}
        </div>
      </Disclosure>
    </div>
  );
}

/** The way to a conversation that is a session of its own. */
function OtherSession({ id }: { id: string }) {
  return (
    <>
      {' · '}
      <a
        href={pathOf(id)}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          go(pathOf(id));
        }}
      >
        {t.transcript.goThere}
      </a>
    </>
  );
}

function ThinkingRow({ item }: { item: ReplyItem }) {
  return (
    <div className="row thinking">
      <Disclosure name={item.key} summary={item.isLive ? t.transcript.thinking : t.transcript.thought}>
        <div className="thinking-text" dir="auto">
          {item.text}
        </div>
      </Disclosure>
    </div>
  );
}

function StartRow({ item: { model, folder } }: { item: StartItem }) {
  const isScripted = useContext(ScriptedContext);
  return (
    <div className="row note" data-tone="quiet">
      <span dir="auto">{[isScripted ? SCRIPTED_AGENT : model, folder].filter(Boolean).join(' · ')}</span>
    </div>
  );
}

function TurnEndRow({ item }: { item: TurnEndItem }) {
  const { problem, isInterrupted, durationMs, costUsd, changes } = item;
  const isScripted = useContext(ScriptedContext);
  const figures = [
    durationMs === undefined ? '' : duration(durationMs),
    isScripted ? t.transcript.scripted : '',
    isScripted || costUsd === undefined || costUsd === 0 ? '' : money(costUsd, costUsd < 0.1 ? 4 : 2),
  ].filter(Boolean);
  return (
    <div className="row turn-end">
      {problem !== undefined && (
        <p className="problem" role="alert" dir="auto">
          {problem}
        </p>
      )}
      <span className="rule faint">
        {[...(isInterrupted ? [t.transcript.interrupted] : []), ...figures].join(' · ')}
        {changes && <TurnChangesButton changes={changes} />}
      </span>
    </div>
  );
}

function TurnChangesButton({ changes: { turn, files, added, removed } }: { changes: TurnDifference }) {
  const open = useContext(OpenTurnContext);
  return (
    <button type="button" className="turn-changes" onClick={() => open(turn)}>
      {t.transcript.filesChanged(files)}{' '}
      <span className="change-counts">
        <span className="change-added">+{added}</span> <span className="change-removed">−{removed}</span>
      </span>
    </button>
  );
}
