/** What this SDK calls itself towards an agent. */
export const SDK_VERSION = '0.1.0';
