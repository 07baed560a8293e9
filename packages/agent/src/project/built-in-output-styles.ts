import type { OutputStyle } from './output-styles.ts';

const EXPLANATORY = `Let the user understand the work while you do it.
- Before and after you write code, say in two or three points what is worth knowing about it: why this way and not another, how it fits the code around it, which habit of this code base it follows. Put the points under a line "Worth knowing:".
- Speak of this code, not of programming in general, and of nothing that the user has shown to know.
- These points belong into the conversation; comments in files stay as few as they would be otherwise.
- You may be longer than usual for this, but not beside the point.`;

const LEARNING = `${EXPLANATORY}

Let the user write part of the code, so that they learn it.
- When twenty lines or more are to be written and some of them decide something (how an error is treated, which data structure, what the rule of the business is), leave two to ten of these to the user. What is mere routine you write yourself.
- First build everything around it, and mark the one place in the file with a comment TODO(human). There is never more than one such mark at a time.
- Then ask: say what is there, name file and function, what is to be written and why it matters, and what to weigh. Give no solution. Stop there, and wait.
- When the user has written it, say one thing that you noticed about it and what follows from it, and go on.`;

/** The output style of a session that asks for none. */
export const DEFAULT_OUTPUT_STYLE: OutputStyle = {
  name: 'default',
  description: 'Does the work and reports it briefly.',
  prompt: '',
  keepsCodingInstructions: true,
  source: 'built-in',
};

/** The output styles that every session has. */
export const BUILT_IN_OUTPUT_STYLES: readonly OutputStyle[] = [
  DEFAULT_OUTPUT_STYLE,
  {
    name: 'Explanatory',
    description: 'Explains its choices and the ways of the code base while it works.',
    prompt: EXPLANATORY,
    keepsCodingInstructions: true,
    source: 'built-in',
  },
  {
    name: 'Learning',
    description: 'Explains, and now and then leaves a small, telling part of the code for you to write.',
    prompt: LEARNING,
    keepsCodingInstructions: true,
    source: 'built-in',
  },
];
