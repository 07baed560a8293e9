import type { Words } from '../words.ts';

export const tour: Words['tour'] = {
  hello: 'Hallo! Was kannst du?',
  welcome: 'Willkommen',
  take: 'Rundgang mit einem Agenten, der nichts kostet',
  tour: 'Rundgang',
  offer: 'Neu hier? Ein Rundgang in vier Schritten zeigt, was diese Seite kann.',
  yes: 'Rundgang machen',
  no: 'Nein, danke',
  step: (at, count) => `${at} von ${count}`,
  done: 'Fertig',
  skip: 'Rundgang überspringen',
  steps: {
    say: 'Eine Sitzung ist ein Agent bei der Arbeit. Dieser spielt ein Skript und kostet nichts: Schreib unten run und drücke Enter.',
    answer:
      'Bevor er etwas ausführt, fragt er. Lies, was er tun würde, dann erlaube es oder lehne es ab: A und D tun dasselbe.',
    board:
      'Alle Agenten stehen in der Übersicht, die fragenden zuerst. Der Name Signalbox über der Liste führt dorthin.',
    keys: 'Strg+K findet alles, was man hier tun kann, und ? zeigt alle Tasten. Das ist alles: gute Reise.',
  },
};
