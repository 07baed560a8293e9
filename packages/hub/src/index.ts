/** Nothing of the control plane is here yet: ARCHITECTURE.md says what it will be. */
export const IS_PLANNED = true;
