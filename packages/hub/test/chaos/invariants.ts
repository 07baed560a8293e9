import { isDeepStrictEqual } from 'node:util';
import type { AgentRun, Evidence, RecordEntry } from './evidence.ts';

/** What is wrong with a session that went through faults; nothing, when all is well. */
export function violationsIn(evidence: Evidence): string[] {
  const found = [
    ...recordViolations(evidence),
    ...readingViolations(evidence),
    ...viewViolations(evidence),
    ...promptViolations(evidence),
    ...permissionViolations(evidence),
  ];
  return found.map((text) => `${evidence.session}: ${text}`);
}

/** The record holds what each agent said, byte for byte: all of it, or what a killed bridge had read. */
function recordViolations({ record, runs }: Evidence): string[] {
  const found: string[] = [];
  const misnumbered = record.findIndex(({ seq }, index) => seq !== index + 1);
  if (misnumbered !== -1) found.push(`entry ${misnumbered + 1} of the record is not numbered so`);
  const gaps = record.filter(({ author, raw }) => author.by === 'hub' && JSON.parse(raw).subtype === 'gap');
  if (gaps.length > 0) found.push(`the record has gaps: ${gaps.map(({ raw }) => raw).join(' ')}`);
  const segments = segmentsOf(record);
  const order = segments.map(({ pid }) => runs.findIndex((run) => run.pid === pid)).filter((at) => at !== -1);
  if (order.some((at, index) => at <= (order[index - 1] ?? -1))) found.push('agents are out of order');
  for (const { pid, lines } of segments) {
    if (!runs.some((run) => run.pid === pid) && lines.length > 0)
      found.push(`${lines.length} lines of an agent ${pid} that nobody knows`);
  }
  for (const run of runs) {
    const lines = segments.find(({ pid }) => pid === run.pid)?.lines ?? [];
    found.push(...differences(`the record of agent ${run.pid}`, lines, run.said.filter(isKept), run.end));
  }
  return found;
}

/** What was acknowledged is there after every kill, and never becomes something else. */
function readingViolations({ record, readings }: Evidence): string[] {
  const raws = record.map(({ raw }) => raw);
  return readings.flatMap((reading, index) => {
    const name = `reading ${index + 1}`;
    const found = differences(name, reading.raws, raws, 'killed');
    if (reading.raws.length < reading.seen)
      found.push(`${name} ends at ${reading.raws.length}, and ${reading.seen} was seen before`);
    return found;
  });
}

/** Every viewer has the record: each entry once, in order, with its content. */
function viewViolations({ record, views }: Evidence): string[] {
  const whole = record.map(({ seq, raw }) => `${seq} ${JSON.stringify(JSON.parse(raw))}`);
  return views.flatMap(({ viewer, entries }) => {
    const seen = entries.map((entry) =>
      'seq' in entry ? `${entry.seq} ${entry.text}` : `reset ${entry.reset}`,
    );
    return differences(`the view of ${viewer}`, seen, whole, 'whole');
  });
}

/**
 * Each prompt that was admitted reached an agent, in the order of its kind, unless a killed agent took it along; once,
 * but for one that steers: it is sent again when nobody knows, and agents drop what they have.
 */
function promptViolations({ admitted, record, runs }: Evidence): string[] {
  const found: string[] = [];
  const ids = new Map<string, string>();
  for (const { clientId, id } of admitted) {
    if ((ids.get(clientId) ?? id) !== id) found.push(`prompt ${clientId} was admitted twice`);
    ids.set(clientId, id);
  }
  const order = [...ids.values()];
  const steering = new Set(admitted.flatMap(({ id, delivery }) => (delivery === 'steer' ? [id] : [])));
  const heard = runs.flatMap(promptsHeard);
  if (heard.some((id) => !order.includes(id))) found.push('an agent got a prompt that nobody sent');
  const queued = heard.filter((id) => !steering.has(id));
  for (const id of repeatedIn(queued)) {
    // Once for each agent, and again only when the one that had it was killed before it did anything.
    const given = runs.filter((run) => promptsHeard(run).includes(id));
    const times = queued.filter((other) => other === id).length;
    if (times > given.length || given.slice(0, -1).some((run) => hasEffect(run, id, record)))
      found.push(`prompt ${id} was delivered ${times} times`);
  }
  for (const kind of [queued, heard.filter((id) => steering.has(id))]) {
    const places = kind.map((id) => order.indexOf(id));
    if (places.some((place, index) => place < (places[index - 1] ?? -1)))
      found.push('prompts are out of order');
  }
  const lastStart = record.findLastIndex(isStart);
  for (const id of order) {
    const entries = record.filter(({ author, raw }) => author.by === 'person' && JSON.parse(raw).uuid === id);
    if (entries.length !== 1) found.push(`prompt ${id} is in the record ${entries.length} times`);
    const isTakenAlong = (entries[0]?.seq ?? Number.POSITIVE_INFINITY) <= lastStart;
    if (!heard.includes(id) && !isTakenAlong) found.push(`prompt ${id} reached no agent`);
  }
  return found;
}

/** Each question has one answer: the one that the hub holds, the agent got and everybody was told. */
function permissionViolations({ runs, told, permissions, decisions }: Evidence): string[] {
  const found: string[] = [];
  for (const { requestId, state, answer } of permissions) {
    const name = `question ${requestId}`;
    const words = told.filter((word) => word.requestId === requestId);
    const decided = decisions.filter((subject) => subject === requestId).length;
    const isAnswered = state === 'answered';
    if (state === 'open') found.push(`${name} was never closed`);
    if (decided !== 1) found.push(`${name} is ${state} after ${decided} decisions`);
    if (words.filter(({ isFirst }) => isFirst).length > 1)
      found.push(`${name} had more than one first answer`);
    if (words.some((word) => word.state !== state || !isDeepStrictEqual(word.response, answer?.response)))
      found.push(`somebody was told another end of ${name}`);
    const asker = runs.findIndex(({ said }) => said.some((line) => asksFor(line) === requestId));
    for (const [at, run] of runs.entries()) {
      const got = answersHeard(run, requestId);
      // An answer that a killed agent did not get reaches the next one, which knows nothing of the question.
      const isStray = at > asker && runs[asker]?.end === 'killed';
      if (at !== asker && got.length > 0 && !isStray)
        found.push(`${name} was answered to an agent that did not ask it`);
      if (got.length > 1 || (got.length === 0 && at === asker && isAnswered && run.end === 'whole'))
        found.push(`${name} was answered ${got.length} times to an agent`);
      if (got.some((response) => !isDeepStrictEqual(response, answer?.response)))
        found.push(`${name} was answered differently to its agent`);
    }
  }
  const known = new Set(permissions.map(({ requestId }) => requestId));
  for (const { requestId } of told)
    if (!known.has(requestId)) found.push(`nobody asked question ${requestId}`);
  return found;
}

/** What is not as expected; a `killed` one may end early. */
function differences(
  name: string,
  found: readonly string[],
  expected: readonly string[],
  end: AgentRun['end'],
): string[] {
  const at = found.findIndex((line, index) => line !== expected[index]);
  if (at !== -1) return [`${name} is wrong at ${at + 1}: ${found[at]} instead of ${expected[at]}`];
  if (found.length < expected.length && end === 'whole')
    return [`${name} ends after ${found.length} of ${expected.length}: ${expected[found.length]} is missing`];
  return [];
}

interface Segment {
  pid: number;
  lines: string[];
}

/** What agents said, from one report of a start to the next. */
function segmentsOf(record: readonly RecordEntry[]): Segment[] {
  const segments: Segment[] = [{ pid: 0, lines: [] }];
  for (const entry of record) {
    if (entry.author.by !== 'agent') continue;
    if (isStart(entry)) segments.push({ pid: JSON.parse(entry.raw).agent_pid, lines: [] });
    else if (!entry.raw.startsWith('{"type":"bridge"')) segments.at(-1)?.lines.push(entry.raw);
  }
  return segments;
}

function isStart({ raw }: RecordEntry): boolean {
  return raw.startsWith('{"type":"bridge","subtype":"started"');
}

/** Deltas are shown and not kept. */
function isKept(line: string): boolean {
  return !/^{"type":"(stream_event|keep_alive)"/.test(line);
}

/** The ids of the prompts that an agent got, in their order. */
export function promptsHeard({ heard }: AgentRun): string[] {
  return heard.flatMap((line) => {
    const { type, uuid } = JSON.parse(line);
    return type === 'user' ? [uuid] : [];
  });
}

/** Whether the record holds anything that an agent did after it got a prompt. */
function hasEffect({ pid }: AgentRun, id: string, record: readonly RecordEntry[]): boolean {
  const at = record.findIndex(({ author, raw }) => author.by === 'person' && JSON.parse(raw).uuid === id);
  const start = record.findIndex((entry) => isStart(entry) && JSON.parse(entry.raw).agent_pid === pid);
  const [own] = segmentsOf(record.slice(Math.max(at, start + 1)));
  return own?.lines.some((line) => /"type":"(assistant|result|system)"/.test(line)) ?? false;
}

function repeatedIn(ids: readonly string[]): Set<string> {
  return new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
}

function answersHeard({ heard }: AgentRun, requestId: string): unknown[] {
  return heard.flatMap((line) => {
    const { type, response } = JSON.parse(line);
    return type === 'control_response' && response.request_id === requestId ? [response.response] : [];
  });
}

/** The id of the question in a line; undefined when it is none. */
export function asksFor(line: string): string | undefined {
  if (!line.startsWith('{"type":"control_request"')) return undefined;
  const { request_id: requestId, request } = JSON.parse(line);
  return request.subtype === 'can_use_tool' ? requestId : undefined;
}
