export const tour = {
  hello: 'Hello! What can you do?',
  welcome: 'Welcome',
  take: 'Take a tour with an agent that costs nothing',
  tour: 'Tour',
  offer: 'New here? A tour of four steps shows what this page can do.',
  yes: 'Take the tour',
  no: 'No, thanks',
  step: (at: number, count: number) => `${at} of ${count}`,
  done: 'Done',
  skip: 'Skip the tour',
  steps: {
    say: 'A session is one agent at work. This one plays a script and costs nothing: write run below, and press Enter.',
    answer:
      'Before it runs anything, it asks. Read what it would do, then allow it or deny it: A and D do the same.',
    board:
      'All agents are on the board, those that ask first. The name Signalbox, above the list, leads there.',
    keys: 'Ctrl+K finds all that can be done here, and ? shows every key. That is all: have a good journey.',
  },
};
