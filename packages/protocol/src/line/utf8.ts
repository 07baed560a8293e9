/** Keeps U+FEFF, so that a text does not depend on where the run of bytes around it began. */
export const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
