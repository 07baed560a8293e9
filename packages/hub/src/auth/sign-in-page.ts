import { createHash } from 'node:crypto';
import { BROWSER_BEARER } from '@signalbox/protocol/hub';

/** The secret is behind the `#`, which browsers keep to themselves: no log and no link preview ever sees it. */
const SCRIPT = `
const link = location.hash.slice(1);
history.replaceState(null, '', location.pathname);
const kept = localStorage.getItem('${BROWSER_BEARER}');
const isSignedIn = async () =>
  kept !== null && (await fetch('/api/me', { headers: { authorization: 'Bearer ' + kept } })).ok;
const isGerman = (localStorage.getItem('console-language') ?? navigator.language).startsWith('de');
const WORDS = isGerman
  ? {
      signing: 'Wird angemeldet …',
      cut: 'Der Link zum Anmelden ist abgeschnitten: Hinter sign-in folgen ein # und viele Buchstaben. Öffne ihn ganz.',
      another: ' Auf dem Rechner des Hubs gibt signalbox link einen aus, in einem Klon npx signalbox link.',
      silent: 'Der Hub antwortet nicht. Läuft er noch?',
      SIGN_IN_LINK_INVALID: 'Dieser Link zum Anmelden ist falsch, verbraucht oder zu alt.',
      SIGN_IN_LIMIT: 'Von hier kamen zu viele falsche Links. Nimm einen guten, oder warte.',
    }
  : {
      signing: 'Signing in …',
      cut: 'The sign-in link is cut off: it goes on behind sign-in, with a # and many letters. Open all of it.',
      another: ' On the machine of the hub, signalbox link prints one; in a clone, npx signalbox link.',
      silent: 'The hub does not answer. Is it still running?',
    };
const say = (text) => { document.querySelector('p').textContent = text; };
if (isGerman) document.documentElement.lang = 'de';
say(WORDS.signing);
fetch('/api/sign-in', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ link }) })
  .then(async (answer) => {
    const { bearer, detail, code } = await answer.json();
    if (answer.ok) localStorage.setItem('${BROWSER_BEARER}', bearer);
    // Whoever comes back by the link that signed them in is where they wanted to be.
    else if (!(await isSignedIn())) return say((link === '' ? WORDS.cut : WORDS[code] ?? detail) + WORDS.another);
    location.replace('/');
  })
  .catch(() => say(WORDS.silent));
`;

/** What a browser sees behind a sign-in link. */
export const SIGN_IN_PAGE = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Signalbox</title>
<style>
:root { color-scheme: light dark }
body { margin: 0; background: light-dark(#fff, #15171c); color: light-dark(#1b1f27, #e4e7ed) }
main { display: grid; align-content: center; gap: 1rem; max-width: 30rem; min-height: 90vh; margin: 0 auto; padding: 1.25rem;
  font: 400 .9375rem/1.55 system-ui, sans-serif }
svg { width: 2.75rem } h1 { margin: 0; font-size: 1.375rem; font-weight: 650 } p { margin: 0 }
</style>
<main>
<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#3a5fd9"/><path d="M8 10h10l6 4-6 4H8z" fill="#fff"/><rect x="8" y="8" width="3" height="17" rx="1.5" fill="#fff"/></svg>
<h1>Signalbox</h1><p role="status">Signing in …</p></main><script>${SCRIPT}</script></html>
`;

/** The page runs this one script and loads nothing. */
export const SIGN_IN_PAGE_POLICY = `default-src 'none'; style-src 'unsafe-inline'; connect-src 'self'; script-src 'sha256-${createHash(
  'sha256',
)
  .update(SCRIPT)
  .digest('base64')}'`;
