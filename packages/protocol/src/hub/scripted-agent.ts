/** What a session says that it runs when that is the built-in model: a script, which nobody pays for. */
export const SCRIPTED_AGENT = 'built-in scripted model';
