export const problems = {
  /** The hub's own words name what it was about: in English nothing says it better than they do. */
  said: (_code: string, message: string): string => message,
};
