import { shortInput } from '@signalbox/protocol';
import type { ReactNode } from 'react';
import type { CallItem, CallState } from '../model/item.ts';
import { outcomeOf } from '../model/tool-outcome.ts';
import { toolTitle } from '../model/tool-title.ts';
import { Disclosure } from '../parts/disclosure.tsx';
import { useNow } from '../parts/use-now.ts';
import { t } from '../words/t.ts';
import { OutputPeek } from './cards/output.tsx';
import { cardOf } from './cards/tool-cards.ts';

const CLOCK_MS = 1000;
const SHOWN_AFTER_SECONDS = 3;

const WORDS: Record<CallState, string> = {
  writing: t.tools.preparing,
  asking: t.tools.asksYou,
  running: t.tools.running,
  // What came of it says so.
  done: '',
  failed: t.tools.failed,
  denied: t.tools.denied,
  interrupted: t.tools.interrupted,
  stopped: t.tools.stopped,
};

/** What a person decided, where it is neither allowing nor denying. */
const DECISIONS: Record<string, { yes: string; no: string }> = {
  AskUserQuestion: { yes: t.tools.answered, no: t.tools.notAnswered },
  ExitPlanMode: { yes: t.tools.approved, no: t.tools.notApproved },
};

/** A tool call, with what came of it and what its sub-agent says. */
export function CallView({
  call,
  folder,
  children,
}: {
  call: CallItem;
  folder: string | null;
  children: ReactNode;
}) {
  const { name, state, result } = call;
  const { Body, Peek = OutputPeek, isOpenByItself = false } = cardOf(name);
  return (
    <div className="row call" data-state={state} data-seq={call.seq} tabIndex={-1}>
      <Disclosure
        name={call.key}
        // What is asked about is on the card below.
        isOpenByItself={isOpenByItself && state !== 'asking' && state !== 'writing'}
        summary={
          <>
            <span className="call-name">{toolTitle(name)}</span>
            <span className="call-input">
              {name === 'TodoWrite' ? '' : shortInput(name, call.input, folder)}
            </span>
            <CallOutcome call={call} />
          </>
        }
        peek={<Peek call={call} folder={folder} />}
      >
        <Body call={call} folder={folder} />
      </Disclosure>
      {result && result.images.length > 0 && (
        <div className="pictures">
          {result.images.map((source, index) => (
            <img key={index} src={source} alt={t.tools.result} className="picture" />
          ))}
        </div>
      )}
      {call.children.length > 0 && <SubAgent call={call}>{children}</SubAgent>}
    </div>
  );
}

/** How long a call has been running; nothing for the first seconds, which need no clock. */
function Elapsed({ since }: { since: number }) {
  const seconds = Math.floor((useNow(CLOCK_MS) - since) / 1000);
  if (seconds < SHOWN_AFTER_SECONDS) return null;
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return <span className="elapsed"> {clock}</span>;
}

/** How it stands, or what came of it. */
function CallOutcome({ call }: { call: CallItem }) {
  const { name, state, decidedBy } = call;
  const by = decidedBy === undefined ? '' : ` ${t.common.by(decidedBy)}`;
  const { yes, no } = DECISIONS[name] ?? { yes: t.tools.allowed, no: t.tools.denied };
  return (
    <span className="call-state">
      {decidedBy && state !== 'denied' && (
        <span className="call-by">
          {yes}
          {by} ·{' '}
        </span>
      )}
      {state === 'denied' ? `${no}${by}` : outcomeOf(call) || WORDS[state]}
      {state === 'running' && call.startedAt !== undefined && <Elapsed since={call.startedAt} />}
    </span>
  );
}

/** What a sub-agent does: in sight while it works, and then for those who want to know. */
function SubAgent({ call, children }: { call: CallItem; children: ReactNode }) {
  const isAtWork = call.state === 'running' || call.state === 'asking';
  const calls = call.children.filter(({ kind }) => kind === 'call').length;
  // At its end the call itself says how many.
  const words = calls > 0 && isAtWork ? `${t.tools.whatItDid} · ${t.tools.calls(calls)}` : t.tools.whatItDid;
  return (
    <div className="sub-agent">
      <Disclosure
        name={`${call.key} work`}
        summary={<span className="faint small">{words}</span>}
        isOpenByItself={isAtWork}
      >
        <div className="children">{children}</div>
      </Disclosure>
    </div>
  );
}
