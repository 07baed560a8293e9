/** What the model is asked when the conversation has to become shorter. */
export function summaryPrompt(instructions: string | undefined): string {
  const prompt = `Create a detailed summary of this conversation, which is getting too long: your summary will take its place. Whoever goes on has nothing but your summary, so leave out nothing that is needed to carry on. Use no tools. Write, under headings:

1. What the person asked for, in their own words where these matter, and how that changed.
2. What was done: files read, created and changed (with paths, and the code that matters), commands and what they gave.
3. Decisions and the reasons for them; what was tried and did not work.
4. Errors that came up, and how they were solved.
5. Everything the person said about how they want things done.
6. What is open, and what you were doing when the conversation stopped, so exactly that the next step is clear.`;
  return instructions ? `${prompt}\n\nThe person adds: ${instructions}` : prompt;
}

/** What takes the place of the conversation. */
export function summaryMessage(summary: string, transcript: string | undefined): string {
  const where =
    transcript === undefined
      ? ''
      : `\n\nThe whole conversation is in ${transcript}, should a detail be missing.`;
  return `This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.\n\n${summary}${where}\n\nGo on from where it stopped, without asking what to do and without mentioning the summary.`;
}
