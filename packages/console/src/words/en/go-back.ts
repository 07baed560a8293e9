export const goBack = {
  question: 'Go back to before this prompt?',
  goBack: 'Go back',
  goingBack: 'Going back …',
  conversation: 'The conversation',
  conversationAbout: 'goes on in a new session that knows what was said before. This one stays.',
  afterQuestion: 'Go on from this reply?',
  goOn: 'Go on',
  goingOn: 'Going on …',
  afterAbout:
    'A new session knows the conversation up to this reply and nothing after it. This one stays, and so do the files.',
  files: 'The files',
  looking: '… looking what would change',
  impossible: (why: string) => `cannot be put back. ${why}`,
  asTheyWere: 'are as they were.',
  putBack: (n: number, insertions: number, deletions: number) =>
    `that its tools changed are put back: ${n === 1 ? '1 file is' : `${n} files are`} changed by +${insertions} −${deletions} lines.`,
  wouldChange: 'Files that would change',
  atWork: 'The agent is at work: wait for the end of its turn.',
  nothingKept: 'Nothing was kept of its files.',
};
