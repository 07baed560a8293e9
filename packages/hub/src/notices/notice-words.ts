import {
  isJsonObject,
  type JsonObject,
  sessionTitle,
  shortInput,
  spokenName,
  textAt,
} from '@signalbox/protocol';
import type { NoticeBody, NoticeEnd, NoticeKind, Session } from '@signalbox/protocol/hub';
import type { NewNotice } from '../store/notice.ts';

const TITLE_LENGTH = 120;
const BODY_LENGTH = 500;

/** A notice before it has an id. */
export type NoticeWords = Omit<NewNotice, 'id'>;

const ASKS: NoticeBody = 'It asks something.';

type Named = Pick<Session, 'id' | 'title' | 'folder'>;

/** An agent asks. */
export function askNotice(session: Named, requestId: string, request: JsonObject): NoticeWords {
  const toolName = textAt(request, 'tool_name');
  const input = isJsonObject(request.input) ? request.input : {};
  const words =
    toolName === ''
      ? textAt(request, 'message') || ASKS
      : `${spokenName(toolName)}: ${shortInput(toolName, input, session.folder)}`;
  const told = noticeOf('asks', session, `ask:${requestId}`, titleOf(session, 'asks you'), words);
  return { ...told, requestId };
}

/** The session, and what it is about it. */
export function titleOf(session: Named, end: NoticeEnd): string {
  return `${sessionTitle(session)} ${end}`;
}

/** Something else has happened to an agent, for a cause that is named once. */
export function noticeOf(
  kind: NoticeKind,
  session: Named,
  cause: string,
  title: string,
  body: string,
): NoticeWords {
  return {
    kind,
    session: session.id,
    cause,
    requestId: null,
    title: cut(title, TITLE_LENGTH),
    body: cut(body, BODY_LENGTH),
  };
}

/** On one line: titles become headings on lock screens. */
function cut(text: string, length: number): string {
  const line = text
    .slice(0, 4 * length)
    // oxlint-disable-next-line no-control-regex -- what screens would act on
    .replace(/[\s\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+/g, ' ')
    .trim();
  return line.length > length ? `${line.slice(0, length - 1).trimEnd()}…` : line;
}
