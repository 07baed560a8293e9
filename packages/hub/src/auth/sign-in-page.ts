import { createHash } from 'node:crypto';

/** The secret is behind the `#`, which browsers keep to themselves: no log and no link preview ever sees it. */
const SCRIPT = `
const link = location.hash.slice(1);
history.replaceState(null, '', location.pathname);
const say = (text) => { document.querySelector('p').textContent = text; };
fetch('/api/sign-in', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ link }) })
  .then(async (answer) => {
    if (answer.ok) location.replace('/');
    else say((await answer.json()).detail);
  }, () => say('The hub does not answer.'));
`;

/** What a browser sees behind a sign-in link. */
export const SIGN_IN_PAGE = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Signalbox</title><body style="font: 1rem system-ui; margin: 4rem auto; max-width: 30rem">
<h1>Signalbox</h1><p>Signing in …</p><script>${SCRIPT}</script></body></html>
`;

/** The page runs this one script and loads nothing. */
export const SIGN_IN_PAGE_POLICY = `default-src 'none'; style-src 'unsafe-inline'; connect-src 'self'; script-src 'sha256-${createHash(
  'sha256',
)
  .update(SCRIPT)
  .digest('base64')}'`;
