import { SCOPES } from '@signalbox/protocol/hub';
import { HubApi, type HubDevice } from 'signalbox/hub';
import { CommandOptionsError, readCommand } from './command-options.ts';
import { addressOf, findHub, HUB_HELP, HUB_OPTIONS } from './hub/find-hub.ts';
import { printHelp } from './print-help.ts';
import { isReachable, qrCode } from './qr-code.ts';
import { fitted } from './wrap-words.ts';

const HELP = `Usage: signalbox link [options]

Prints a link that signs in one browser, once and within 15 minutes. Open it on a phone (with the
camera, if a QR code is shown) or send it to somebody. signalbox devices lists who is signed in, and
signs them out.

  --name TEXT        the name of the device (default: browser)
  --person TEXT      who uses it (default: you)
  --scope SCOPE      what it may do: ${SCOPES.join(', ')} (default: what you may do)
  --json             print the link as JSON, and nothing else
${HUB_HELP}
  -h, --help         this text
`;

const OPTIONS = {
  ...HUB_OPTIONS,
  name: { type: 'string' },
  person: { type: 'string' },
  scope: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Run `signalbox link …`. */
export async function runLink(argv: readonly string[]): Promise<number> {
  const { values, positionals } = readCommand('link', argv, OPTIONS);
  if (values.help) {
    printHelp(HELP);
    return 0;
  }
  if (positionals.length > 0) throw new CommandOptionsError('link', 'A name goes behind --name.');
  const { name, person } = values;
  const scope = scopeNamed(values.scope);
  const link = await new HubApi(addressOf(await findHub(values))).createSignInLink({
    ...(name === undefined ? {} : { name }),
    ...(person === undefined ? {} : { person }),
    ...(scope === undefined ? {} : { scope }),
  });
  // Written as an address is: nothing in it speaks to the terminal.
  const url = new URL(link.url).href;
  if (values.json) {
    process.stdout.write(`${JSON.stringify({ url })}\n`);
    return 0;
  }
  process.stdout.write(`${url}\n${qrCode(url)}`);
  if (!isReachable(url)) process.stderr.write(fitted(adviceFor(new URL(url).port), process.stderr));
  return 0;
}

function scopeNamed(name: string | undefined): HubDevice['scope'] | undefined {
  const known = SCOPES.find((scope) => scope === name);
  if (name === undefined || known) return known;
  throw new CommandOptionsError('link', `${name} is no scope; these are: ${SCOPES.join(', ')}.`);
}

function adviceFor(port: string): string {
  return `This address leads to the machine that it is opened on. On another one, run this first:
  ssh -L ${port}:127.0.0.1:${port} <this machine>
For a phone, and a QR code, start the hub with --host, --name, --cert and --key, or behind a proxy.
`;
}
