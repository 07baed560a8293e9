/** Nothing of the host library is here yet: ARCHITECTURE.md says what it will be. */
export const IS_PLANNED = true;
