import { fullModelName, modelFacts } from '../model/prices.ts';

/** What people choose from, and what each is for. */
const OFFERS = [
  { value: 'opus', displayName: 'Opus', use: 'For the hardest work' },
  { value: 'fable', displayName: 'Fable', use: 'For the longest work' },
  { value: 'sonnet', displayName: 'Sonnet', use: 'For everyday work' },
  { value: 'haiku', displayName: 'Haiku', use: 'The fastest' },
];

const EFFORT_LEVELS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;

/** Models of before know nothing of effort, and must be told how much to think. */
const TAKES_EFFORT = /-(?:opus|fable|sonnet|haiku)-5/;

/** The models that hosts can offer to people; `initial` is the one that the session starts with. */
export function offeredModels(initial: string) {
  return [
    { value: 'default', displayName: 'Default', ...modelFields(initial, 'The model this agent starts with') },
    ...OFFERS.map(({ value, displayName, use }) => ({ value, displayName, ...modelFields(value, use) })),
  ];
}

function modelFields(name: string, use: string) {
  const resolvedModel = fullModelName(name);
  const { input, output } = modelFacts(resolvedModel);
  return {
    resolvedModel,
    description: `${use} · $${input}/$${output} per Mtok`,
    ...(TAKES_EFFORT.test(resolvedModel)
      ? { supportsEffort: true, supportedEffortLevels: [...EFFORT_LEVELS], supportsAdaptiveThinking: true }
      : {}),
  };
}

/** A model as people call it: `claude-opus-5-5` is Opus 5.5. */
export function modelTitle(model: string): string {
  const { family, version } =
    /^claude-(?<family>[a-z]+)-(?<version>\d+(?:-\d{1,2})?)(?!\d)/.exec(model)?.groups ??
    /^claude-(?<version>\d+(?:-\d{1,2})?)-(?<family>[a-z]+)/.exec(model)?.groups ??
    {};
  if (family === undefined || version === undefined) return model;
  return `${family.charAt(0).toUpperCase()}${family.slice(1)} ${version.replace('-', '.')}`;
}
