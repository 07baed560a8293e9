import { useEffect, useState } from 'react';
import type { SessionState } from 'signalbox/hub';
import { areOnTheirWay, lampOf, type ServerRow, serversIn, statusWords } from '../model/mcp-servers.ts';
import { problemWords } from '../model/problem-words.ts';
import { Disclosure } from '../parts/disclosure.tsx';
import { useHub, useHubView } from '../shell/hub-context.ts';
import { Sentence } from '../words/sentence.tsx';
import { t } from '../words/t.ts';
import { useAgentAnswer } from './use-agent-answer.ts';

/** Nothing tells when a server has connected: one that is on its way is asked for again. */
const LOOK_MS = 1500;

/** Every answer is a line of the record: one that never gets there is not asked for without end. */
const MAX_LOOKS = 20;

/** The MCP servers of a session: how each stands, what it offers, and what can be done about it. */
export function ServersView({ session, activity }: { session: string; activity: SessionState }) {
  const {
    value: servers,
    problem,
    look,
    refusal,
  } = useAgentAnswer(session, activity, 'mcp_status', serversIn);
  const isWaiting = servers !== undefined && areOnTheirWay(servers);
  useEffect(() => {
    if (!isWaiting) return undefined;
    let looks = 0;
    const timer = setInterval(() => {
      looks += 1;
      if (looks > MAX_LOOKS) clearInterval(timer);
      else void look();
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [isWaiting, look]);
  return (
    <section
      className="details-body"
      aria-label={t.details.servers}
      aria-busy={servers === undefined && refusal === ''}
    >
      {refusal !== '' && <p className="faint">{refusal}</p>}
      {problem !== '' && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {servers?.length === 0 && (
        <p className="faint">
          <Sentence
            of={t.details.noServers(
              <code>signalbox-agent mcp add</code>,
              <code>.mcp.json</code>,
              <code>--mcp-config</code>,
            )}
          />
        </p>
      )}
      {servers && servers.length > 0 && (
        <ul className="board-rows">
          {servers.map((server) => (
            <ServerItem key={server.name} session={session} server={server} onChange={look} />
          ))}
        </ul>
      )}
    </section>
  );
}

function ServerItem({
  session,
  server,
  onChange,
}: {
  session: string;
  server: ServerRow;
  onChange: () => Promise<void>;
}) {
  const { stream } = useHub();
  const { device } = useHubView();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const { name, status, says, scope, reached, error, tools } = server;
  const isOff = status === 'disabled';
  const ask = async (request: { subtype: string; enabled?: boolean }): Promise<void> => {
    setBusy(true);
    setProblem('');
    await stream
      .control(session, { ...request, serverName: name })
      .catch((failure: unknown) => setProblem(problemWords(failure)));
    await onChange();
    setBusy(false);
  };
  return (
    <li className="detail-row" aria-label={name}>
      <div className="detail-head">
        <span className="dot" data-state={lampOf(server)} aria-hidden="true" />
        <span className="detail-name">{name}</span>
        <span className="faint small">{[statusWords(server), says, scope].filter(Boolean).join(' · ')}</span>
        <span className="detail-acts">
          {!isOff && (
            <button
              type="button"
              className="button"
              disabled={isBusy}
              onClick={() => void ask({ subtype: 'mcp_reconnect' })}
            >
              {t.details.reconnect}
            </button>
          )}
          {device?.scope === 'admin' && (
            <button
              type="button"
              role="switch"
              aria-checked={!isOff}
              aria-label={t.details.isOn(name)}
              className="switch"
              disabled={isBusy}
              onClick={() => void ask({ subtype: 'mcp_toggle', enabled: isOff })}
            />
          )}
        </span>
      </div>
      {reached !== '' && <p className="faint small mono detail-reached">{reached}</p>}
      {[error, problem].filter(Boolean).map((words) => (
        <p key={words} className="problem">
          {words}
        </p>
      ))}
      {tools.length > 0 && (
        <Disclosure summary={<span className="small">{t.details.tools(tools.length)}</span>}>
          <dl className="detail-tools">
            {tools.map((tool) => (
              <div key={tool.name}>
                <dt className="mono">{tool.name}</dt>
                <dd className="faint" dir="auto">
                  {tool.description}
                </dd>
              </div>
            ))}
          </dl>
        </Disclosure>
      )}
    </li>
  );
}
