export const storage = {
  title: 'Storage',
  kept: {
    eventDays: 'What was said',
    promptDays: 'Prompts',
    permissionDays: 'Answered questions',
    auditDays: 'The audit log',
    deviceDays: 'Devices that were signed out',
    terminalDays: 'Terminals that have ended',
  },
  changeKept: 'Change what is kept',
  keepSo: 'Keep so',
  limitsAbout: (isArchived: boolean) =>
    `In days; an empty field keeps it for good. What is older is taken away within the hour${isArchived ? ': what was said is written to files first' : ''}.`,
  databaseLimit: 'The database may take (MiB)',
  noLimit: 'A limit is a whole number of more than 0, or nothing.',
  backup: 'Backup',
  backupAbout: 'A backup has all that was said in every session. signalbox restore puts it back.',
  copying: 'Copying …',
  download: 'Download a backup',
  days: (what: string, days: string) => `${what}: ${days} days`,
  takes: 'What it takes',
  inUse: (used: string, limit: number | undefined, onDisk: string) =>
    `${used} in use${limit === undefined ? '' : ` of ${limit} MiB`}, ${onDisk} on the disk.`,
  overLimit: 'It is more than its limit, and there is nothing left that may go.',
  forGood: 'Everything is kept for good.',
};
