import { createHash } from 'node:crypto';

/** To open it answers nothing: programs that look at links ahead of people open them too. */
const SCRIPT = `
// The address is seen by others over a shoulder, and kept in histories: the right stays with this tab alone, also when it is loaded again.
const capability = location.hash.slice(1) || history.state?.capability || '';
history.replaceState({ capability }, '', location.pathname);
const isGerman = (localStorage.getItem('console-language') ?? navigator.language).startsWith('de');
const WORDS = isGerman
  ? {
      looking: 'Wird geladen …', allow: 'Erlauben', deny: 'Ablehnen', allowed: 'Erlaubt.', denied: 'Abgelehnt.', asks: ' fragt: ',
      input: 'die ganze Eingabe',
      cut: 'Der Link ist abgeschnitten: Hinter notice folgen ein # und viele Buchstaben.',
      CAPABILITY_INVALID: 'Mit diesem Link lässt sich nicht mehr antworten. Antworte in der Konsole.',
      CAPABILITY_EXPIRED: 'Dieser Link ist älter als 12 Stunden. Antworte in der Konsole: Die Frage wartet noch.',
      CAPABILITY_CHANGED: 'Inzwischen geht es um eine andere Eingabe. Nichts wurde beantwortet; sieh in der Konsole nach.',
    }
  : {
      looking: 'Looking …', allow: 'Allow', deny: 'Deny', allowed: 'Allowed.', denied: 'Denied.', asks: ' asks: ',
      input: 'the whole input',
      cut: 'The link is cut off: it goes on behind notice, with a # and many letters.',
    };
const [status, heading, input] = ['status', 'what', 'input'].map((id) => document.getElementById(id));
const say = (text) => { status.textContent = text; };
const send = async (path, body) => {
  const answer = await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ capability, ...body }) });
  const said = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(said.detail), { code: said.code });
  return said;
};
if (isGerman) document.documentElement.lang = 'de';
say(WORDS.looking);
input.ariaLabel = WORDS.input;
const buttons = [...document.querySelectorAll('button')];
for (const button of buttons) button.textContent = WORDS[button.value];
const gone = ['CAPABILITY_INVALID', 'CAPABILITY_EXPIRED', 'CAPABILITY_USED', 'CAPABILITY_CHANGED'];
const answer = async (behavior) => {
  for (const button of buttons) button.disabled = true;
  try {
    await send('/api/notice-answers', { behavior });
    for (const button of buttons) button.hidden = true;
    say(behavior === 'allow' ? WORDS.allowed : WORDS.denied);
  } catch (error) {
    for (const button of buttons) Object.assign(button, { disabled: false, hidden: gone.includes(error.code) });
    say(WORDS[error.code] ?? error.message);
  }
};
for (const button of buttons) button.addEventListener('click', () => answer(button.value));
send('/api/notice-answers/look', {})
  .then(({ title, toolName, text, input: whole }) => {
    heading.textContent = title + WORDS.asks + toolName;
    input.textContent = whole;
    input.hidden = false;
    for (const button of buttons) button.hidden = false;
    say(text);
  })
  .catch((error) => say(capability === '' ? WORDS.cut : WORDS[error.code] ?? error.message));
`;

/** What a person sees behind the link of a notice. */
export const NOTICE_PAGE = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Signalbox</title>
<style>
:root { color-scheme: light dark }
body { margin: 0; background: light-dark(#fff, #15171c); color: light-dark(#1b1f27, #e4e7ed) }
main { display: grid; align-content: center; gap: 1rem; max-width: 36rem; min-height: 90vh; margin: 0 auto; padding: 1.25rem;
  font: 400 .9375rem/1.55 system-ui, sans-serif }
h1 { margin: 0; font-size: 1.375rem; font-weight: 650; overflow-wrap: anywhere } p { margin: 0; overflow-wrap: anywhere }
pre { margin: 0; padding: .75rem; max-height: 50vh; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere;
  font: .8125rem/1.5 ui-monospace, monospace; background: light-dark(#f3f4f7, #1e2128); border-radius: 8px }
div { display: flex; gap: .75rem }
button { flex: 1; min-height: 2.75rem; font: inherit; font-weight: 600; border-radius: 8px; border: 1px solid light-dark(#c3c8d2, #444a57);
  background: none; color: inherit }
button[value=allow] { background: #2f50bd; border-color: #2f50bd; color: #fff }
[hidden] { display: none }
</style>
<main><h1 id="what">Signalbox</h1><p id="status" role="status">Looking …</p><pre id="input" tabindex="0" aria-label="the whole input" hidden></pre>
<div><button value="allow" hidden>Allow</button><button value="deny" hidden>Deny</button></div></main><script>${SCRIPT}</script></html>
`;

/** The page runs this one script and loads nothing. */
export const NOTICE_PAGE_POLICY = `default-src 'none'; style-src 'unsafe-inline'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; script-src 'sha256-${createHash(
  'sha256',
)
  .update(SCRIPT)
  .digest('base64')}'`;
