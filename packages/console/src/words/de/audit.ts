import type { Words } from '../words.ts';

/** What the hub calls each decision; one that is not here keeps its name. */
const WHAT: Readonly<Record<string, string | undefined>> = {
  allow: 'erlaubt',
  'allow with rules': 'erlaubt, mit Regeln',
  'allow with another input': 'erlaubt, mit anderer Eingabe',
  'allow with another input with rules': 'erlaubt, mit anderer Eingabe und Regeln',
  deny: 'abgelehnt',
  'deny and interrupt': 'abgelehnt, Runde angehalten',
  dismiss: 'abgebrochen',
  expired: 'abgelaufen',
  withdrawn: 'zurückgezogen',
  interrupt: 'Runde angehalten',
  set_model: 'Modell umgestellt',
  set_permission_mode: 'Modus umgestellt',
  set_max_thinking_tokens: 'Nachdenken umgestellt',
  rewind_files: 'Dateien zurückgesetzt',
  mcp_reconnect: 'MCP-Server neu verbunden',
  mcp_toggle: 'MCP-Server geschaltet',
  launch: 'Agent gestartet',
  restart: 'Agent neu gestartet',
  stop: 'Agent beendet',
  'create session': 'Sitzung angelegt',
  'remove session': 'Sitzung entfernt',
  'import session': 'Sitzung eingelesen',
  rename: 'Sitzung umbenannt',
  archive: 'Sitzung weggelegt',
  unarchive: 'Sitzung zurückgeholt',
  'edit prompt': 'Prompt geändert',
  'move prompt': 'Prompt verschoben',
  'cancel prompt': 'Prompt zurückgenommen',
  'save prompt': 'Prompt gespeichert',
  'remove prompt': 'gespeicherter Prompt entfernt',
  'stage files': 'Dateien ausgewählt',
  'unstage files': 'Auswahl von Dateien aufgehoben',
  'discard files': 'Änderungen verworfen',
  'undo discard': 'verworfene Änderungen zurückgeholt',
  commit: 'committet',
  'continue in terminal': 'in einem Terminal fortgesetzt',
  'back from terminal': 'aus dem Terminal zurückgeholt',
  'pass on': 'Nachricht weitergereicht',
  loop: 'Schleife begonnen',
  'pause loop': 'Schleife angehalten',
  'resume loop': 'Schleife fortgesetzt',
  'stop loop': 'Schleife beendet',
  'edit loop': 'Schleife geändert',
  'remove loop': 'Schleife entfernt',
  'add rule': 'Regel hinzugefügt',
  'remove rule': 'Regel entfernt',
  'add budget': 'Budget hinzugefügt',
  'change budget': 'Budget geändert',
  'remove budget': 'Budget entfernt',
  'allow turn beyond budget': 'Runde über das Budget hinaus erlaubt',
  'add notice target': 'Ziel für Mitteilungen hinzugefügt',
  'remove notice target': 'Ziel für Mitteilungen entfernt',
  'define agent': 'Agent definiert',
  'remove agent': 'Agent entfernt',
  'set profile': 'Profil gespeichert',
  'remove profile': 'Profil entfernt',
  'trust folder': 'Ordner vertraut',
  'distrust folder': 'Vertrauen in Ordner entzogen',
  'trust setup': 'Einrichtung vertraut',
  'distrust setup': 'Vertrauen in Einrichtung entzogen',
  'sweep worktrees': 'Worktrees aufgeräumt',
  'remove worktree': 'Worktree entfernt',
  'start terminal': 'Terminal gestartet',
  'end terminal': 'Terminal beendet',
  'type in terminal': 'in ein Terminal getippt',
  'sign in': 'angemeldet',
  'add device': 'Gerät hinzugefügt',
  'revoke device': 'Gerät abgemeldet',
  'create sign-in link': 'Link zum Anmelden erstellt',
  'back up': 'Sicherung erstellt',
  'set retention': 'Aufbewahrung geändert',
  'take away what is old': 'Altes weggenommen',
};

const DOES: Readonly<Record<string, string | undefined>> = {
  allow: 'erlauben',
  deny: 'ablehnen',
  ask: 'fragen',
};

const PER: Readonly<Record<string, string | undefined>> = { 'a day': 'am Tag', 'in total': 'insgesamt' };

/** A rule as the hub says it: `allow Bash(npm test:*) everywhere`. */
function ruleIn(words: string): string | undefined {
  const [, does = '', rule, where = ''] =
    /^(allow|deny|ask) (.+?) (everywhere|in session \S+|in \/.*)$/.exec(words) ?? [];
  const place = where === 'everywhere' ? 'überall' : where.replace(/\bin session /, 'in Sitzung ');
  return rule && `${rule} ${DOES[does]}, ${place}`;
}

/** A budget as the hub says it: `the budget of this hub, $5.00 a day`. */
function budgetIn(words: string): string | undefined {
  const [, whose = '', amount, per = ''] = /^the budget of (.+), (.+) (a day|in total)$/.exec(words) ?? [];
  const folder = /^the folder (.+)$/.exec(whose)?.[1];
  const of =
    { 'this hub': 'des Hubs', 'this session': 'dieser Sitzung' }[whose] ??
    (folder && `des Ordners ${folder}`);
  return amount && of && `Budget ${of}, ${amount.replace(' and ', ' und ')} ${PER[per]}`;
}

export const audit: Words['audit'] = {
  title: 'Protokoll',
  find: 'Suchen',
  findHint: 'erlaubt, eine Person, ein Gerät, eine Sitzung …',
  count: (found, all) => `${found} der letzten ${all}`,
  nothing: 'Noch wurde nichts entschieden.',
  decisions: 'Entscheidungen',
  older: 'Ältere',
  what: (name) => (Object.hasOwn(WHAT, name) ? (WHAT[name] ?? name) : name),
  subject: (subject) =>
    subject === 'for a prompt' ? 'für einen Prompt' : (ruleIn(subject) ?? budgetIn(subject) ?? subject),
  why: (why) => {
    const [, by, words = ''] = /^(rule|settled by): ([\s\S]+)$/.exec(why) ?? [];
    if (by === undefined) return why;
    return by === 'rule' ? `Regel: ${ruleIn(words) ?? words}` : `erledigt durch: ${words}`;
  },
  session: (id) => `Sitzung ${id}`,
};
