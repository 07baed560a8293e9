export const palette = {
  groups: { session: 'This session', do: 'Do', go: 'Go to', page: 'This page' },
  keys: (keys: string) => keys,
  title: 'Commands and sessions',
  find: 'Find a command or a session',
  hint: 'What do you want to do?',
  searchFor: (words: string) => `Search “${words}” in everything said`,
  search: 'Search',
};
