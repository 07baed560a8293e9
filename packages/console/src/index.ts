/** Nothing of the web app is here yet: ARCHITECTURE.md says what it will be. */
export const IS_PLANNED = true;
