export const IS_PLANNED = true;
