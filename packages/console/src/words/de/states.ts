import type { UNEXPLAINED as Unexplained } from '@signalbox/protocol';
import type { Words } from '../words.ts';

type States = Words['states'];

const SESSIONS: Readonly<Record<string, ReturnType<States['session']>>> = {
  starting: { word: 'startet', sentence: 'Der Agent startet.' },
  active: { word: 'arbeitet', sentence: 'Der Agent arbeitet.' },
  asking: { word: 'fragt dich', sentence: 'Der Agent wartet auf eine Antwort.' },
  idle: { word: 'bereit', sentence: 'Der Agent wartet auf einen Prompt.' },
  terminal: {
    word: 'im Terminal',
    sentence:
      'Der Agent läuft in einem Terminal, mit eigenem Bildschirm. Hol ihn zurück, um ihm hier Prompts zu senden.',
  },
  disconnected: {
    word: 'nicht verbunden',
    sentence: 'Der Agent ist nicht verbunden; Prompts warten auf ihn.',
  },
  exited: {
    word: 'beendet',
    sentence: 'Der Agent ist beendet; Prompts warten, bis er neu gestartet wird.',
  },
};

const ENDED_HERE = { word: 'beendet', sentence: 'Der Agent ist beendet; ein Prompt startet ihn neu.' };

const NO_KEY = {
  word: 'kann nicht arbeiten',
  sentence:
    'Er hat keinen Schlüssel für sein Modell. Setze ANTHROPIC_API_KEY, wo der Hub läuft, oder melde dich dort mit claude an; starte den Hub neu, beende diesen Agenten und starte ihn neu.',
};

const WHERE: Readonly<Record<string, string>> = {
  session: 'für diese Sitzung',
  localSettings: 'in diesem Ordner, für dich',
  projectSettings: 'in diesem Ordner, für alle',
  userSettings: 'in allen Ordnern, für dich',
  cliArg: 'für diese Sitzung',
};

const MODES: Readonly<Record<string, string>> = {
  acceptEdits: 'alle Änderungen annehmen',
  bypassPermissions: 'nichts fragen',
  plan: 'nur planen',
  default: 'fragen wie üblich',
  dontAsk: 'ablehnen statt fragen',
};

const BEHAVIORS: Readonly<Record<string, string>> = {
  allow: 'erlauben',
  deny: 'ablehnen',
  ask: 'fragen',
};

const FORMATS: Readonly<Record<string, string>> = {
  email: 'eine E-Mail-Adresse sein, etwa ada@example.com',
  uri: 'eine ganze Adresse sein, etwa https://example.com',
  date: 'ein Datum sein, etwa 2026-07-31',
  'date-time': 'Datum und Zeit mit Zone sein, etwa 2026-07-31T09:30:00Z',
};

const INSTALL_CLAUDE =
  'claude ist auf dem Rechner des Hubs nicht da. npm install -g @anthropic-ai/claude-code installiert es; SIGNALBOX_CLAUDE nennt eins, das anderswo liegt.';

/** Those that Signalbox knows itself. */
const MISSING: Readonly<Record<string, string | undefined>> = {
  claude: INSTALL_CLAUDE,
  'signalbox-agent': 'signalbox-agent.js liegt nicht neben signalbox. Installiere Signalbox neu.',
  scripted: 'signalbox-agent.js liegt nicht neben signalbox. Installiere Signalbox neu.',
};

/** In the words of the hub, of which only the type is known here. */
const UNEXPLAINED: typeof Unexplained = 'It failed without saying why.';
const SILENT = 'Es ging schief, ohne dass er sagte, warum.';

const UNITS = ['Bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

/** What the command line says as well: `en/states.ts` takes it from there. */
export const states: States = {
  session: ({ state, problem, isLaunched }) => {
    if (state === 'exited' && isLaunched) return ENDED_HERE;
    if (state !== 'idle' || !problem) return SESSIONS[state] ?? { word: state, sentence: state };
    return problem.code === 'no_credentials'
      ? NO_KEY
      : {
          word: 'letzte Runde fehlgeschlagen',
          sentence: problem.message === UNEXPLAINED ? SILENT : problem.message,
        };
  },
  branch: ({ branch, ahead, behind, changed }) =>
    [
      branch === null ? 'auf keinem Branch' : `Branch ${branch}`,
      ahead > 0 ? `${ahead} voraus` : '',
      behind > 0 ? `${behind} zurück` : '',
      changed > 0 ? `${counted(changed, 'Datei', 'Dateien')} geändert und nicht committet` : '',
    ]
      .filter(Boolean)
      .join(', '),
  branchSigns: ({ branch, ahead, behind, changed }) =>
    [
      branch ?? 'kein Branch',
      ahead > 0 ? `↑${ahead}` : '',
      behind > 0 ? `↓${behind}` : '',
      changed > 0 ? `±${changed}` : '',
    ]
      .filter(Boolean)
      .join(' '),
  ending: (state) =>
    `Das beendet den Agenten und alles, was er gestartet hat${state === 'active' || state === 'asking' ? ', mitten in seiner Runde' : ''}. Was gesagt wurde, bleibt; hat dieser Hub den Agenten gestartet, kann er neu gestartet werden.`,
  removing: (state, title) =>
    `Das ${state === 'exited' || state === 'disconnected' ? '' : 'beendet ihren Agenten und '}löscht endgültig alles, was in „${title}“ gesagt wurde. Die Dateien, an denen gearbeitet wurde, bleiben.`,
  exit: ({ code, signal }, endedBy) => {
    if (endedBy !== undefined) return `${endedBy} hat den Agenten beendet`;
    if (signal !== null) return `Der Agent wurde durch ${signal} beendet`;
    if (code === null) return 'Der Agent ist weg';
    return code === 0 ? 'Der Agent ist beendet' : `Der Agent endete mit Exit-Code ${code}`;
  },
  loop: ({ iteration, turns, costUsd }, { maxIterations, durationMs, changes }) =>
    [
      `${iteration} von ${counted(maxIterations, 'Durchlauf', 'Durchläufen')}`,
      counted(turns, 'Runde', 'Runden'),
      costUsd > 0 ? dollars(costUsd) : '',
      duration(durationMs),
      changes ? changesWords(changes) : '',
    ]
      .filter(Boolean)
      .join(' · '),
  loopStates: {
    running: 'läuft',
    pausing: 'pausiert nach diesem Durchlauf',
    paused: 'pausiert',
    stopping: 'wird beendet',
    ended: 'beendet',
  },
  suggestion: ({ type, behavior, mode, destination, rules, folders }) => {
    const where = WHERE[destination] ?? `in ${destination}`;
    const does = BEHAVIORS[behavior] ?? behavior;
    switch (type) {
      case 'addRules':
        return `${rules} ${does}, ${where}`;
      case 'replaceRules':
        return `${rules} ${does} und jede andere Regel dazu vergessen, ${where}`;
      case 'removeRules':
        return `${rules} vergessen, ${where}`;
      case 'setMode':
        return `${MODES[mode] ?? `Modus ${mode}`}, ${where}`;
      case 'addDirectories':
        return `in ${folders} arbeiten, ${where}`;
      case 'removeDirectories':
        return `${folders} verlassen, ${where}`;
      default:
        return `${type} ${where}`;
    }
  },
  backtest: ({ behavior, all, matched: { allowed, denied, changed, unanswered } }) => {
    const sum = allowed + denied + changed + unanswered;
    const calls = sum === 1 ? '1 Aufruf' : `${sum} Aufrufe`;
    if (behavior === 'ask') return `Sie hätte ${calls} den Leuten überlassen.`;
    if (behavior === 'deny') {
      const other = allowed + changed;
      return `Sie hätte ${calls} abgelehnt; ${other === 0 ? 'keiner davon' : `${other} davon`} ${other > 1 ? 'wurden' : 'wurde'} erlaubt.`;
    }
    if (all.denied === 0) return `Sie hätte ${calls} erlaubt; abgelehnt wurde bisher nichts.`;
    return `Sie hätte ${calls} erlaubt; darunter ${denied === 0 ? 'keine' : denied} ${all.denied === 1 ? 'der einen Ablehnung' : `der ${all.denied} Ablehnungen`}.`;
  },
  proposal: ({ behavior, allowed, denied, sessions }) => {
    const where = sessions === 1 ? 'einer Sitzung' : `${sessions} Sitzungen`;
    return behavior === 'allow'
      ? `Du hast ${allowed} solche Aufrufe in ${where} erlaubt und keinen davon abgelehnt.`
      : `Du hast ${denied} solche Aufrufe in ${where} abgelehnt und keinen davon erlaubt.`;
  },
  missingAgent: (name, program, why) => {
    const own = Object.hasOwn(MISSING, name) ? MISSING[name] : undefined;
    if (own !== undefined || why === '') return own ?? why;
    if (program === undefined) return 'sein Programm ist nicht da';
    const where = program.includes('/') ? 'gibt es nicht' : 'liegt nicht im PATH des Hubs';
    return `${program} ${where}; config.json des Hubs nennt es.`;
  },
  bytes: (bytes) => {
    const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(bytes, 1)) / 10)));
    const value = bytes / 1024 ** step;
    const digits = step === 0 || value >= 100 ? 0 : 1;
    return `${value.toLocaleString('de', { maximumFractionDigits: digits })} ${UNITS[step]}`;
  },
  fault: (fault) => {
    switch (fault.fault) {
      case 'missing':
        return 'muss ausgefüllt werden';
      case 'not-text':
        return 'muss Text sein';
      case 'not-number':
        return 'muss eine Zahl sein';
      case 'not-whole':
        return 'muss eine ganze Zahl sein';
      case 'not-flag':
        return 'muss wahr oder falsch sein';
      case 'not-list':
        return 'muss eine Liste sein';
      case 'not-an-option':
        return `muss eins davon sein: ${fault.options}`;
      case 'not-of-options':
        return `darf nur dies enthalten: ${fault.options}`;
      case 'too-short':
        return `braucht mindestens ${fault.minimum} Zeichen`;
      case 'too-long':
        return `darf höchstens ${fault.maximum} Zeichen haben, nicht ${fault.length}`;
      case 'wrong-format':
        return `muss ${FORMATS[fault.format] ?? fault.format}`;
      case 'too-small':
        return `muss mindestens ${fault.minimum} sein`;
      case 'too-large':
        return `darf höchstens ${fault.maximum} sein`;
      case 'too-few-choices':
        return `braucht mindestens ${counted(fault.minimum, 'Auswahl', 'Auswahlen')}`;
      case 'too-many-choices':
        return `darf höchstens ${counted(fault.maximum, 'Auswahl', 'Auswahlen')} haben`;
    }
  },
};

function counted(count: number, one: string, more: string): string {
  return `${count} ${count === 1 ? one : more}`;
}

function dollars(usd: number): string {
  const digits = usd < 1 ? 4 : 2;
  return usd.toLocaleString('de', {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function changesWords({
  commits,
  files,
  insertions,
  deletions,
}: {
  commits: number;
  files: number;
  insertions: number;
  deletions: number;
}): string {
  if (files === 0 && commits === 0) return 'keine Änderungen';
  const lines = files === 0 ? [] : [`${counted(files, 'Datei', 'Dateien')} +${insertions} -${deletions}`];
  return [...lines, ...(commits === 0 ? [] : [counted(commits, 'Commit', 'Commits')])].join(', ');
}
