import type { Words } from '../words.ts';

export const devices: Words['devices'] = {
  title: 'Geräte',
  thisBrowser: 'dieser Browser',
  signedIn: 'Angemeldet',
  signOut: 'Abmelden',
  signOutAsk: 'Abmelden …',
  signOutOf: (name) => `${name} abmelden …`,
  countSignedOut: (count) => `${count} abgemeldete`,
  signedOut: 'Abgemeldet',
  signOutQuestion: (name) => `${name} abmelden?`,
  signingOut: 'Wird abgemeldet …',
  signOutAbout:
    'Es verliert sofort seinen Zugang, samt allem, was es offen hält. Um zurückzukommen, braucht es einen neuen Link. Agenten laufen weiter.',
  scopes: {
    watch: 'darf zusehen',
    approve: 'darf Fragen der Agenten beantworten',
    drive: 'darf Agenten steuern',
    admin: 'darf alles',
  },
  signInAnother: 'Weiteres Gerät anmelden',
  deviceName: 'Name eines weiteren Geräts',
  myPhone: 'mein Telefon',
  it: 'Es',
  makeLink: 'Link erstellen',
  linkAbout:
    'Öffne ihn innerhalb von 15 Minuten auf dem Gerät; er meldet einen Browser an, einmal. Er trägt den Namen aus der Adresse dieser Seite; das Gerät muss ihn erreichen können.',
  copyLink: 'Link kopieren',
  oneSession: 'eine Sitzung',
  neverSeen: 'nie gesehen',
  seen: (when) => `gesehen ${when}`,
  signedOutAt: (when) => `abgemeldet ${when}`,
  until: (day) => `bis ${day}`,
  expired: 'abgelaufen',
};
