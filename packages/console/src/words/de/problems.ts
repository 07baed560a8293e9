import type { ProblemCode } from '@signalbox/protocol/hub';
import type { Words } from '../words.ts';

/** What a page meets beside the refusals of the hub. */
type PageCode = 'HUB_UNREACHABLE' | 'HUB_CONNECTION_LOST' | 'HUB_TOO_MANY_WAITING';

const GONE_DISK = 'Die Platte des Hubs ist voll. Was bestätigt war, ist nicht verloren; schaffe Platz.';
const NO_LEADER = 'Gerade führt kein Hub. Versuche es gleich noch einmal.';
const NO_DATABASE = 'Die Datenbank des Hubs antwortet nicht. Nichts wurde gespeichert.';

/** By code. What ends in a colon goes on with the hub's own words, which name what it was about. */
const SAID: Readonly<Partial<Record<ProblemCode | PageCode, string>>> = {
  HUB_UNREACHABLE: 'Der Hub antwortet nicht. Starte ihn mit signalbox up.',
  HUB_CONNECTION_LOST:
    'Die Verbindung zum Hub brach ab, bevor er antwortete. Sieh nach, ob es geschehen ist, und versuche es sonst noch einmal.',
  HUB_TOO_MANY_WAITING: 'Zu vieles wartet schon auf den Hub. Warte, bis er wieder da ist.',
  REQUEST_INVALID: 'Der Hub versteht das so nicht:',
  JSON_TOO_DEEP: 'Das ist zu tief verschachtelt.',
  UNAUTHENTICATED: 'Dieser Browser ist nicht mehr angemeldet.',
  FORBIDDEN: 'Das darf dieser Browser nicht:',
  ASK_CHANGE_FORBIDDEN: 'Dieser Browser darf erlauben und ablehnen, aber nichts daran ändern.',
  ASK_NOT_FOUND: 'Diese Frage gibt es nicht mehr.',
  STORE_NOT_FOUND: 'Das gibt es nicht mehr:',
  STORE_SESSION_NOT_FOUND: 'Diese Sitzung gibt es nicht.',
  STORE_SESSION_EXISTS: 'Eine Sitzung mit dieser ID gibt es schon.',
  STORE_SESSION_LOST: 'Ein anderer Hub hat diese Sitzung übernommen. Versuche es noch einmal.',
  STORE_LIMIT: 'Das ist zu lang, oder zu vieles wartet schon. Nichts wurde gespeichert:',
  STORE_BUSY: 'Der Hub hat gerade zu viel zu speichern. Versuche es gleich noch einmal.',
  STORE_FULL: GONE_DISK,
  STORE_CLOSED: 'Der Hub endet gerade. Versuche es gleich noch einmal.',
  STORE_READ_ONLY: 'Die Datenbank des Hubs lässt sich nur lesen.',
  STORE_UNREACHABLE: NO_DATABASE,
  STORE_LEAD_LOST: NO_LEADER,
  STORE_UNREADABLE: 'Was gespeichert war, ist beschädigt:',
  NO_LEADER,
  NOT_LEADING: NO_LEADER,
  LEADER_LOST: 'Der führende Hub ging verloren, bevor er antwortete. Versuche es noch einmal.',
  OUTCOME_UNKNOWN:
    'Der Hub endete mittendrin. Sieh nach, ob es geschehen ist, und versuche es sonst noch einmal.',
  BODY_TOO_LONG: 'Das ist länger, als der Hub annimmt.',
  BODY_TOO_SLOW: 'Das kam zu langsam an. Versuche es noch einmal.',
  LINE_TOO_LONG: 'Das ist länger, als der Hub annimmt.',
  TOO_MANY_VALUES: 'Das ist mehr, als der Hub auf einmal annimmt.',
  DEVICE_LIMIT: 'Dieser Browser hat zu viele Anfragen offen. Schließe ein paar seiner Tabs.',
  ASK_ANSWER_INVALID: 'Die Antwort passt nicht zur Frage, die noch offen ist:',
  SESSION_CONNECTED: 'Der Agent der Sitzung läuft noch. Beende ihn zuerst.',
  SESSION_NOT_LAUNCHED:
    'Diesen Agenten hat nicht der Hub gestartet. Starte ihn dort neu, wo er gelaufen ist.',
  PROMPT_NOT_WAITING: 'Der Prompt wartet nicht mehr: Der Agent hat ihn, oder er wurde zurückgenommen.',
  AGENT_NOT_CONNECTED: 'Der Agent ist nicht verbunden. Starte ihn, oder warte, bis er wieder da ist.',
  AGENT_NOT_READING: 'Der Agent liest gerade nicht. Warte, oder beende ihn.',
  AGENT_NOT_STOPPED: 'Vom Ende des Agenten kam keine Nachricht. Versuche es noch einmal:',
  AGENT_NOT_STARTED: 'Der Agent ließ sich nicht starten:',
  AGENT_NOT_FOUND: 'Diesen Agenten gibt es auf dem Rechner des Hubs nicht:',
  AGENT_IN_TERMINAL: 'Der Agent läuft in einem Terminal. Schreib ihm dort, oder hol ihn zurück.',
  AGENT_TERMINAL_ONLY: 'Dieser Agent hat nur seinen eigenen Bildschirm. Schreib ihm dort.',
  CONTROL_REFUSED: 'Der Agent lehnte ab:',
  CONTROL_CLOSED: 'Der Agent ging weg, bevor er antwortete.',
  CONTROL_TIMEOUT: 'Der Agent antwortete nicht rechtzeitig. Versuche es noch einmal.',
  LAUNCH_UNDER_WAY: 'Der Agent wird schon gestartet.',
  LAUNCH_ELSEWHERE: 'Diesen Agenten hat ein anderer Rechner gestartet: Dort sind seine Dateien.',
  BRIDGE_RUNNING: 'Der Agent läuft schon.',
  NOTHING_TO_RESUME: 'Hier gibt es noch keine Unterhaltung, die weitergehen könnte.',
  NOT_A_PROMPT: 'Davor lässt sich nicht zurückgehen: Das ist kein Prompt.',
  NOT_A_REPLY: 'Danach lässt sich nicht weitergehen: Das ist keine Antwort des Agenten.',
  CONVERSATION_IN_USE:
    'Diese Unterhaltung ist anderswo offen. Beende sie dort, oder geh mit einer Kopie weiter.',
  TRANSCRIPT_NOT_FOUND: 'Die Unterhaltung liegt nicht auf dem Rechner des Hubs. Der Agent blieb, wie er war.',
  TRANSCRIPT_TOO_LONG: 'Die Unterhaltung ist zu lang dafür. Lass den Agenten sie zusammenfassen.',
  VIEW_UNCHANGED: 'Die Unterhaltung ist schon dort, oder auf dem Weg dorthin.',
  VIEW_UNKNOWN: 'Dieser Agent kann nicht in einem Terminal weiterarbeiten.',
  FOLDER_NOT_FOUND: 'Diesen Ordner gibt es auf dem Rechner des Hubs nicht:',
  NOT_A_REPOSITORY: 'Dieser Ordner liegt in keinem Repository.',
  BASE_NOT_FOUND: 'Diesen Branch, Tag oder Commit gibt es nicht:',
  BRANCH_EXISTS: 'Diesen Branch gibt es schon. Nimm einen anderen Namen.',
  WORKTREE_EXISTS: 'Diesen Namen hat schon ein Worktree. Nimm einen anderen.',
  WORKTREE_IN_USE: 'Eine Sitzung arbeitet in diesem Worktree.',
  WORKTREE_NOT_MADE: 'Der Worktree ließ sich nicht anlegen:',
  WORKTREE_NOT_FOUND: 'Diesen Worktree gibt es nicht mehr.',
  SETUP_NOT_TRUSTED: 'Der Einrichtung dieses Repositorys vertraut noch niemand. Sieh sie dir an.',
  SETUP_CHANGED: 'Die Einrichtung hat sich geändert. Sieh sie dir noch einmal an.',
  SETUP_INVALID: 'Die Einrichtung des Repositorys ist so nicht möglich:',
  REPOSITORY_BUSY:
    'Im Repository läuft ein Rebase oder Merge, oder ein anderes git ist am Werk. Beende es, oder nenne eine Basis.',
  REPOSITORY_LOCKED: 'Ein anderes git schreibt gerade. Versuche es gleich noch einmal.',
  REPOSITORY_NOT_FOUND: 'Der Ordner der Sitzung liegt in keinem git-Repository.',
  REPOSITORY_BARE: 'Dieses Repository hat keine Dateien. Arbeite in einem Klon davon.',
  REPOSITORY_ELSEWHERE: 'Die Dateien dieses Repositorys liegen laut seiner Konfiguration anderswo.',
  REPOSITORY_FILTERED: 'Eine Datei geht durch einen Filter des Repositorys. Mach es in einem Terminal.',
  CHANGE_NOT_FOUND: 'Diese Datei unterscheidet sich nicht mehr. Sieh noch einmal in die Liste.',
  CHANGE_BASE_NOT_FOUND: 'Damit lässt sich nicht vergleichen:',
  CHANGE_CONFLICT: 'Jemand hat die Datei seitdem geändert:',
  CHANGE_IN_WAY: 'Am Platz dieser Datei steht etwas anderes, das verloren ginge:',
  CHANGE_LIMIT: 'Das ist mehr, als auf einmal geht:',
  UNDO_NOT_FOUND: 'Das lässt sich nicht mehr zurücknehmen.',
  NOTHING_STAGED: 'Der Commit wäre leer. Wähle erst Dateien aus.',
  NO_COMMENTS: 'Es gibt keine Anmerkungen mehr: Jemand hat sie gesendet oder zurückgenommen.',
  GIT_TASK_UNDER_WAY: 'Ein Merge oder Rebase läuft. Beende es in einem Terminal.',
  GIT_IDENTITY_UNKNOWN:
    'git weiß nicht, wer hier committet. Sag es ihm einmal im Terminal: git config --global user.name "Dein Name", und git config --global user.email "du@example.com".',
  GIT_FAILED: 'git konnte das nicht:',
  GIT_TIMEOUT: 'git brauchte zu lange und wurde beendet.',
  GIT_UNAVAILABLE: 'Auf dem Rechner des Hubs gibt es kein git, oder eins vor 2.31.',
  TERMINAL_NOT_FOUND: 'Dieses Terminal gibt es nicht mehr.',
  TERMINAL_LIMIT: 'So viele Terminals gehen nicht auf einmal. Beende eins.',
  TERMINAL_UNAVAILABLE: 'Der Rechner des Hubs kann keine Terminals öffnen.',
  TERMINAL_NOT_STARTED: 'Das Terminal ließ sich nicht starten:',
  TERMINAL_NOT_CONNECTED: 'Das Terminal ist noch nicht wieder da. Versuche es gleich noch einmal.',
  RULE_INVALID: 'Diese Regel ist so nicht möglich:',
  RULE_CONFLICT: 'Die Regel würde nichts bewirken:',
  BUDGET_REACHED: 'Ein Budget ist aufgebraucht, nichts wurde gestartet:',
  BUDGET_NOT_REACHED: 'Kein Budget hält diese Sitzung auf.',
  BUDGET_EMPTY: 'So hätte das Budget keine Grenze mehr. Entferne es stattdessen.',
  PROFILE_NOT_FOUND: 'Dieses Profil gibt es nicht.',
  SAVED_PROMPT_LIMIT: 'So viele Prompts behält der Hub nicht. Entferne einen.',
  LOOP_ENDED: 'Diese Schleife ist schon beendet.',
  LOOP_CHANGED: 'Jemand hat die Schleife inzwischen geändert. Sieh sie dir noch einmal an.',
  LOOP_UNDER_WAY: 'Die Schleife läuft noch. Beende sie zuerst.',
  LOOP_LIMIT: 'So viele Schleifen laufen nicht auf einmal. Beende eine.',
  LOOP_PROMPT_FILE: 'Die Datei mit der Aufgabe lässt sich nicht lesen:',
  NOTICE_URL_INVALID: 'An diese Adresse geht es so nicht:',
  NOTICE_TARGET_RETIRED: 'Dieses Ziel ist stillgelegt. Entferne es und füge es neu hinzu.',
  SETTING_INVALID: 'Das ist keine gültige Einstellung:',
  SETTINGS_UNAVAILABLE: 'Dieser Hub hat keine config.json, in der das stehen könnte.',
  BACKUP_UNAVAILABLE: 'Dieser Hub behält nichts, wovon es eine Sicherung gäbe.',
  ARCHIVE_NOT_WRITTEN: 'Was weggenommen werden soll, ließ sich nicht sichern; es bleibt:',
  FILE_NOT_WRITTEN: 'Die Datei ließ sich nicht schreiben:',
};

const BY_CODE: Readonly<Record<string, string | undefined>> = SAID;

export const problems: Words['problems'] = {
  said: (code, message) => {
    const words = Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined;
    if (words === undefined) return message;
    return words.endsWith(':') ? `${words} ${message}` : words;
  },
};
