import { isJsonObject } from '@signalbox/protocol';
import type { Author, PermissionRequest } from 'signalbox/hub';
import { harmless } from '../harmless-text.ts';

/** Who it was, as others are told. */
export function authorWords(author: Author): string {
  if (author.by === 'person') return `${author.name} on ${author.device}`;
  return author.rule === undefined ? `the ${author.by}` : `the rule ${author.rule}`;
}

/** How a request ended that was not answered here; undefined as long as it has not. */
export function endOfAsk({ state, answer }: PermissionRequest): string | undefined {
  if (state === 'withdrawn') return 'the agent does not ask any more';
  if (state === 'expired') return 'the agent that asked is gone';
  return answer ? harmless(`answered by ${authorWords(answer.author)}: ${answerWords(answer)}`) : undefined;
}

/** Of a question what was chosen, of all else whether it was allowed. */
function answerWords({ what, response }: NonNullable<PermissionRequest['answer']>): string {
  const { updatedInput: input } = response;
  const { answers } = isJsonObject(input) ? input : {};
  const chosen = isJsonObject(answers) ? Object.values(answers).flat() : [];
  // Whoever answered may have put anything there.
  const words = chosen.filter((choice) => typeof choice === 'string');
  return words.length > 0 ? words.join('; ') : what;
}
