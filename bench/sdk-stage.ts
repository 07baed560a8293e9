import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { referenceSdkEntry } from '../conformance/references.ts';
import { PACKAGE_FOLDER } from '../scripts/build-sdk.js';

const HOST = fileURLToPath(new URL('sdk-host.mjs', import.meta.url));
const BARE = fileURLToPath(new URL('bare-sdk.mjs', import.meta.url));
const SDK = fileURLToPath(new URL('../packages/sdk/src', import.meta.url));

/** Answers `initialize`, hears the prompt, and then says what is in a file as fast as a pipe takes it. */
const AGENT = `#!/bin/sh
for _ in 1 2; do
  IFS= read -r line
  case $line in
    *'"control_request"'*) id=\${line#*'"request_id":"'}; id=\${id%%'"'*} ;;
  esac
done
printf '{"type":"control_response","response":{"subtype":"success","request_id":"%s","response":{"commands":[],"models":[],"agents":[],"account":{},"output_style":"default","available_output_styles":[]}}}\\n' "$id"
exec cat "$SAID"
`;

/** The official SDK, ours, and a loop that is no SDK. */
export type Contender = 'reference' | 'ours' | 'bare';

/** What a program saw of an SDK, in milliseconds. */
export interface HostRun {
  importMs: number;
  /** From `query()` to the first message. */
  firstMs: number;
  /** From the first message to the result. */
  streamMs: number;
  streamCpuMs: number;
}

/** Our SDK as it is published and the official one as it is installed, on the same agent. */
export class SdkStage {
  readonly folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-sdk-'));
  readonly #entries: Record<Contender, string>;

  private constructor(reference: string) {
    this.#entries = { reference, ours: join(PACKAGE_FOLDER, 'index.js'), bare: BARE };
    writeFileSync(this.#agent, AGENT, { mode: 0o755 });
  }

  static async open(version: string): Promise<SdkStage> {
    return new SdkStage(await referenceSdkEntry(version));
  }

  /** What the agent is to say, as a file. */
  script(name: string, lines: Iterable<string>): string {
    const file = join(this.folder, `${name}.ndjson`);
    writeFileSync(file, `${[...lines].join('\n')}\n`);
    return file;
  }

  /** One run of a program in a new process. */
  async play(sdk: Contender, script: string): Promise<HostRun> {
    const args = [HOST, pathToFileURL(this.#entries[sdk]).href, this.#agent, script];
    const env = { PATH: process.env['PATH'], HOME: this.folder };
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: this.folder, env });
    return JSON.parse(stdout);
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  get #agent(): string {
    return join(this.folder, 'agent');
  }
}

/** What a page loads for `signalbox/browser`. */
export async function browserBundleBytes(): Promise<number> {
  const { outputFiles } = await build({
    entryPoints: [join(SDK, 'browser', 'index.ts')],
    bundle: true,
    platform: 'browser',
    format: 'esm',
    minify: true,
    write: false,
    logLevel: 'warning',
  });
  return gzipSync(outputFiles[0]?.contents ?? '').length;
}
