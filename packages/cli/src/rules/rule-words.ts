import type { Backtest, HubRule, PastCall, RuleSuggestion } from 'signalbox/hub';
import { harmless } from '../harmless-text.ts';
import { authorWords } from '../hub/author-words.ts';
import { shortId } from '../hub/pick-session.ts';
import { commandHere, shellWord } from '../own-command.ts';
import { fittedTable } from '../text-table.ts';

const SHAPE = {
  columns: ['ID', 'DOES', 'RULE', 'WHERE', 'BY'],
  leftOut: ['BY', 'WHERE'],
  cut: { column: 'RULE', least: 16, most: 60 },
} as const;

/** How many of the calls are shown that a rule would have decided and nobody objects to. */
const MAX_CALLS = 5;

/** A table of rules. */
export function ruleTable(rules: readonly HubRule[], room: number): string {
  return fittedTable(
    SHAPE,
    rules.map((rule) => ({
      // That of the command line has a word for an id.
      ID: rule.isStored ? shortId(rule.id) : harmless(rule.id),
      DOES: harmless(rule.behavior),
      RULE: harmless(rule.rule),
      WHERE: whereOf(rule),
      BY: harmless(authorWords(rule.author)),
    })),
    room,
  );
}

/** A rule in one line. */
export function ruleWords(rule: HubRule): string {
  return `${shortId(rule.id)} ${harmless(`${rule.behavior} ${rule.rule}`)} ${whereOf(rule)}`;
}

/** What a rule would have done, with what goes against it. */
export function backtestWords({ words, against, calls, isCut }: Backtest): string {
  const others = calls.filter(({ requestId }) => !against.some((one) => one.requestId === requestId));
  const lines = [
    harmless(words),
    ...against.map((call) => `  ✗ ${callWords(call)}`),
    ...others.slice(0, MAX_CALLS).map((call) => `    ${callWords(call)}`),
    ...(isCut || others.length > MAX_CALLS ? ['    … --json lists more'] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** A proposal, and the command that takes it. */
export function suggestionWords({ rule, behavior, folder, words }: RuleSuggestion): string {
  const where = folder === null ? '' : ` --folder ${shellWord(folder)}`;
  const command = commandHere(`rules add ${shellWord(rule)} --${behavior}${where}`);
  return `${harmless(`${behavior} ${rule}`)}\n  ${harmless(words)}\n  ${harmless(command)}\n`;
}

function callWords({ session, toolName, text, outcome, author }: PastCall): string {
  const who = author ? ` by ${authorWords(author)}` : '';
  return harmless(`${toolName} ${text} (${outcome}${who}, session ${shortId(session)})`);
}

function whereOf({ folder, session }: HubRule): string {
  const places = [folder ?? [], session === null ? [] : `session ${shortId(session)}`].flat();
  return places.length === 0 ? 'everywhere' : harmless(places.join(', '));
}
