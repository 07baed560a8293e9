import type { NoticeBody } from '@signalbox/protocol/hub';
import type { Words } from '../words.ts';

const BODIES: Readonly<Record<NoticeBody, string>> = {
  'It asks something.': 'Er fragt etwas.',
  'You will be told here when an agent needs you.': 'Hier erfährst du, wenn ein Agent dich braucht.',
  'It failed without saying why.': 'Es ging schief, ohne dass er sagte, warum.',
};

const SAID: Readonly<Record<string, string | undefined>> = BODIES;

export const notices: Words['notices'] = {
  title: 'Mitteilungen',
  kinds: { asks: 'Fragt', finished: 'Fertig', failed: 'Fehlgeschlagen', budget: 'Budget', test: 'Test' },
  states: {
    held: 'zurückgehalten: jemand sieht zu',
    quiet: 'still: jemand sah zu',
    waiting: 'wartet',
    sent: 'gesendet',
    failed: 'fehlgeschlagen',
    withdrawn: 'zurückgezogen: vorher beantwortet',
    closing: 'beantwortet, wird zurückgezogen',
    closed: 'beantwortet und zurückgezogen',
  },
  body: (body) => (Object.hasOwn(SAID, body) ? (SAID[body] ?? body) : body),
  attempts: (count) => `, ${count} Versuche`,
  retired: (why) => `Stillgelegt: ${why}. Entferne es und füge es neu hinzu.`,
  everything: 'alles',
  mayAnswer: 'darf antworten',
  about:
    'Du erfährst, wenn ein Agent fragt, fertig ist, fehlschlägt oder sein Budget bald erreicht. Nichts wird gesendet, solange jemand die Sitzung ansieht.',
  thisBrowser: 'Dieser Browser',
  elsewhere: 'Anderswo',
  targets: 'Ziele',
  sentLately: 'Zuletzt gesendet',
  lookAgain: 'Erneut nachsehen',
  nothing: 'Noch nichts.',
  shownHere: (mayAnswer) =>
    `Mitteilungen erscheinen auf diesem Gerät${mayAnswer ? ', mit Erlauben und Ablehnen' : ''}.`,
  offHere: 'Mitteilungen sind auf diesem Gerät aus.',
  ended: (why) => `Sie endeten: ${why}.`,
  turnOn: 'Einschalten',
  turnOff: 'Ausschalten',
  sendTest: 'Test senden',
  removeNamed: (name) => `${name} entfernen`,
  needsHttps: 'Browser stellen nur Seiten zu, die über https oder von diesem Rechner selbst kamen.',
  cannotPush:
    'Diesem Browser kann nichts zugestellt werden. Füge die Seite auf einem iPhone erst zum Home-Bildschirm hinzu.',
  blocked: 'Mitteilungen dieser Seite sind blockiert. Erlaube sie in den Einstellungen des Browsers.',
  needsPermission: 'Ohne Erlaubnis des Browsers kann nichts gezeigt werden.',
  hubCannotPush: 'Dieser Hub kann nichts zustellen.',
  noPushAddress: 'Der Browser gab keine Adresse für Mitteilungen an.',
  newTarget: 'Neues Ziel',
  kind: 'Art',
  webhook: 'Webhook',
  address: 'Adresse',
  name: 'Name',
  token: 'Token',
  readerMayAnswer: 'Wer es liest, darf antworten (Erlauben und Ablehnen)',
  isPrivate: 'Die Adresse liegt in meinem Netz',
  secret: (secret) => [
    'Seine Mitteilungen sind mit diesem Geheimnis signiert, das nicht noch einmal gezeigt wird: ',
    secret,
  ],
};
