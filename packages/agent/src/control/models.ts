/** The models that hosts can offer to people. */
export const MODELS = [
  { value: 'default', displayName: 'Default', description: 'The model this agent starts with' },
  { value: 'opus', displayName: 'Opus', description: 'For the hardest work' },
  { value: 'haiku', displayName: 'Haiku', description: 'The fastest' },
];
