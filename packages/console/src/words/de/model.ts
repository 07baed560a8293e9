import type { UNEXPLAINED as Unexplained } from '@signalbox/protocol';
import type { Words } from '../words.ts';

const BUDGETS: Readonly<Record<string, string | undefined>> = {
  session: 'Budget dieser Sitzung',
  folder: 'Budget des Ordners',
  hub: 'Budget des Hubs',
};

/** In the words of the hub, of which only their type is known here. */
const UNEXPLAINED: typeof Unexplained = 'It failed without saying why.';

const TURN_PROBLEMS: Readonly<Record<string, string | undefined>> = {
  error_max_turns: 'Er hielt an seiner Grenze für Schritte an. Sag „weiter“, um fortzufahren.',
  error_max_budget_usd: 'Er hielt an seiner Kostengrenze an. Starte ihn mit einer höheren neu.',
  error_max_structured_output_retries: 'Er konnte der Antwort nicht die verlangte Form geben.',
};

export const model: Words['model'] = {
  putIntoFolder: 'Lege die Datei in den Ordner der Sitzung und nenne sie mit @.',
  wrongType: (name, instead) => `${name} ist weder Text noch PNG, JPEG, GIF oder WebP. ${instead}`,
  tooLarge: (name, instead) => `${name} ist größer als 100 kB. ${instead}`,
  theRule: (rule) => `die Regel ${rule}`,
  noJson: (name) =>
    `„${name}“ ist kein JSON: Wörter brauchen Anführungszeichen, Klammern müssen geschlossen sein.`,
  noInput: 'Das ist keine Eingabe.',
  ago: (n, unit) => `${n} ${{ minutes: 'Min.', hours: 'Std.', days: 'T.' }[unit]}`,
  now: 'jetzt',
  justNow: 'gerade eben',
  before: (time) => `vor ${time}`,
  loopEnds: {
    done: 'fertig',
    limit: 'an einer Grenze beendet',
    failed: 'fehlgeschlagen',
    stopped: 'beendet',
  },
  thinking: 'Denkt nach',
  writing: 'Schreibt',
  modes: {
    default: 'Fragt, bevor er handelt',
    acceptEdits: 'Nimmt Änderungen an',
    plan: 'Plant nur',
    bypassPermissions: 'Fragt nichts',
    dontAsk: 'Lehnt ab statt zu fragen',
  },
  putFilesBack: (who) => `${who} hat die Dateien auf einen früheren Prompt zurückgesetzt`,
  switchedMode: (who, mode) => `${who} hat den Modus auf ${mode} umgestellt`,
  switchedModel: (who, name) => `${who} hat auf ${name} umgestellt`,
  usualModel: 'das übliche Modell',
  leftThinking: (who) => `${who} hat das Nachdenken den Einstellungen des Agenten überlassen`,
  switchedThinking: (who, isOn) => `${who} hat das Nachdenken ${isOn ? 'ein' : 'aus'}geschaltet`,
  readFiles: (n) => `${n} ${n === 1 ? 'Datei' : 'Dateien'} gelesen`,
  searched: (n) => `${n === 1 ? 'einmal' : `${n}-mal`} gesucht`,
  taskEnds: { completed: 'ist fertig', failed: 'ist fehlgeschlagen', stopped: 'wurde angehalten' },
  taskEnded: (task, end) => `„${task}“ ${end}`,
  backgroundEnded: (end) => `Eine Hintergrundaufgabe ${end}`,
  backgroundSaid: (end, words) => `Hintergrundaufgabe ${end}: ${words}`,
  doneOf: (done, all) => `${done} von ${all} erledigt`,
  failed: 'fehlgeschlagen',
  counts: {
    line: (n, count) => `${count} ${n === 1 ? 'Zeile' : 'Zeilen'}`,
    call: (n, count) => `${count} ${n === 1 ? 'Aufruf' : 'Aufrufe'}`,
    page: (n, count) => `${count} ${n === 1 ? 'Seite' : 'Seiten'}`,
    match: (_n, count) => `${count} Treffer`,
    file: (n, count) => `${count} ${n === 1 ? 'Datei' : 'Dateien'}`,
  },
  toolTitles: {
    AskUserQuestion: 'Frage',
    ExitPlanMode: 'Plan',
    NotebookEdit: 'Notebook',
    NotebookRead: 'Notebook',
    TodoWrite: 'Aufgaben',
    WebFetch: 'Abruf',
    WebSearch: 'Websuche',
  },
  damaged: 'Dieser Eintrag wurde auf der Platte beschädigt',
  notJson: 'Kein JSON',
  toldBetween: 'Was dem Agenten zwischendurch gesagt wurde',
  changesUnknown: 'Was die letzte Runde geändert hat, ist nicht bekannt',
  moreParts: (count) => `${count} weitere Teile dieser Nachricht werden nicht gezeigt`,
  summedUp: 'Die Unterhaltung wurde zusammengefasst',
  summedUpFrom: (thousands) => `Die Unterhaltung wurde zusammengefasst (vorher ${thousands}k Tokens)`,
  retry: (status, attempt, most) =>
    `Das Modell hat nicht geantwortet${status}; neuer Versuch, ${attempt} von ${most}`,
  hookFailed: (name) => `Der Hook ${name} ist fehlgeschlagen`,
  toolNotAllowed: (tool) => `${tool} ist nicht erlaubt`,
  linesLost: (count) =>
    `${count} Zeilen des Agenten gingen hier verloren: Er hatte sie vergessen, bevor der Hub sie bekam`,
  beganAnother: 'Der Agent hat eine andere Unterhaltung begonnen, die eine eigene Sitzung ist',
  beganAfter: 'Der Agent hat diese Unterhaltung nach einer anderen begonnen',
  began: 'Der Agent hat eine andere Unterhaltung begonnen',
  wentToTerminal: 'Die Unterhaltung ging in einem Terminal weiter, auf dem Bildschirm des Agenten',
  cameBack: 'Die Unterhaltung kam aus ihrem Terminal zurück',
  cameBackUnread:
    'Die Unterhaltung kam aus ihrem Terminal zurück; was dort gesagt wurde, ließ sich nicht lesen',
  started: 'Der Agent wurde gestartet',
  startedOn: (command, folder, host) => `${command}\n${folder} auf ${host}`,
  strayOutput: 'Der Agent schrieb etwas, das ihm nicht zusteht',
  newConversation: 'Eine neue Unterhaltung beginnt',
  signInFailed: (why) => `Die Anmeldung beim Modell schlug fehl: ${why}`,
  limitReached: 'Die Grenze des Kontos ist erreicht',
  limitNear: 'Die Grenze des Kontos ist bald erreicht',
  budget: (state, scope, spent, words) => {
    if (state === 'allowed') return 'Eine Runde wurde über das Budget hinaus erlaubt.';
    const name = Object.hasOwn(BUDGETS, scope) ? BUDGETS[scope] : undefined;
    const then = { near: 'Ist es aufgebraucht, hält die Runde an.', reached: 'Prompts warten.' }[state];
    return name && then ? `${name}: ${spent} ausgegeben. ${then}` : words;
  },
  restarts: (state, why, count, most, words) => {
    if (state === 'waiting') return `${why} Er wird neu gestartet, ${count} von ${most} Mal in Folge.`.trim();
    if (state === 'given-up')
      return `${why} Er wurde ${most}-mal in Folge neu gestartet und bleibt jetzt, wie er ist.`.trim();
    return words;
  },
  turnProblem: (subtype, words) =>
    words === UNEXPLAINED
      ? 'Es ging schief, ohne dass er sagte, warum.'
      : Object.hasOwn(TURN_PROBLEMS, subtype)
        ? (TURN_PROBLEMS[subtype] ?? words)
        : words,
  notStarted: 'Der Agent konnte nicht gestartet werden',
};
