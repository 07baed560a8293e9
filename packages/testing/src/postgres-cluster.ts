import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from './free-port.ts';

/** Who owns the cluster; the password is of this test alone. */
const USER = 'signalbox';
export const CLUSTER_PASSWORD = 'p@ss:word/1';

/** How often it is looked whether a standby follows. */
const LOOK_MS = 50;

/** Where Debian, and whoever builds it, puts the programs of the server, newest first. */
function serverFolder(): string | undefined {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root) : [];
  const folders = versions
    .toSorted((one, other) => Number(other) - Number(one))
    .map((version) => join(root, version, 'bin'));
  return [...folders, '/usr/local/bin', '/usr/bin'].find((folder) => existsSync(join(folder, 'initdb')));
}

/** Whether clusters can be started here; `scripts/system-tools.js` has said so loudly where they cannot. */
export const HAS_POSTGRES = serverFolder() !== undefined;

/** A user that the server agrees to run as: it refuses root. */
function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'])));
  return { uid: uid ?? 0, gid: gid ?? 0 };
}

/** A folder for a server, and who runs it. */
function newPlace(): { bin: string; user: { uid: number; gid: number } | undefined; folder: string } {
  const bin = serverFolder();
  if (!bin) throw new Error('PostgreSQL is not installed: scripts/system-tools.js says how');
  const user = serverUser();
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-pg-'));
  chmodSync(folder, 0o755);
  if (user) chownSync(folder, user.uid, user.gid);
  return { bin, user, folder };
}

/** A PostgreSQL server of this process alone, in a temporary folder, which ends with it, also by a kill. */
export class PostgresCluster {
  readonly port: number;
  readonly folder: string;
  readonly #bin: string;
  readonly #user: { uid: number; gid: number } | undefined;
  /** How large its tablespace `small` is. */
  #smallBytes = 0;
  #server: ChildProcess | undefined;
  #exited: Promise<unknown> = Promise.resolve();
  #databases = 0;

  private constructor(
    folder: string,
    port: number,
    bin: string,
    user: { uid: number; gid: number } | undefined,
  ) {
    this.folder = folder;
    this.port = port;
    this.#bin = bin;
    this.#user = user;
  }

  /** Make a cluster and start it; with `smallBytes` one with a tablespace `small` on a disk of that size, until it is stopped. */
  static async start(smallBytes = 0): Promise<PostgresCluster> {
    const { bin, user, folder } = newPlace();
    const small = join(folder, 'small');
    mkdirSync(small);
    if (user) chownSync(small, user.uid, user.gid);
    const passwordFile = join(folder, 'password');
    writeFileSync(passwordFile, CLUSTER_PASSWORD);
    if (user) chownSync(passwordFile, user.uid, user.gid);
    const options = ['--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--encoding=UTF8', '--locale=C'];
    const words = ['-D', join(folder, 'data'), '-U', USER, ...options, '--no-sync'];
    execFileSync(join(bin, 'initdb'), words, { ...user, cwd: folder, stdio: 'ignore' });
    const cluster = await PostgresCluster.#run(folder, bin, user, smallBytes);
    if (smallBytes > 0) await cluster.query('postgres', `CREATE TABLESPACE small LOCATION '${small}'`);
    return cluster;
  }

  static async #run(
    folder: string,
    bin: string,
    user: { uid: number; gid: number } | undefined,
    smallBytes = 0,
  ): Promise<PostgresCluster> {
    const cluster = new PostgresCluster(folder, await freePort(), bin, user);
    cluster.#smallBytes = smallBytes;
    await cluster.resume();
    process.once('exit', () => cluster.#kill());
    return cluster;
  }

  /** A standby that follows this server by streaming replication. From now on a commit here is answered when it has it, too. */
  async startStandby(): Promise<PostgresCluster> {
    const { bin, user, folder } = newPlace();
    const words = [
      '-D',
      join(folder, 'data'),
      '-d',
      this.urlOf('postgres'),
      '-R',
      '-X',
      'stream',
      '--no-sync',
    ];
    execFileSync(join(bin, 'pg_basebackup'), [...words, '--checkpoint=fast'], { ...user, cwd: folder });
    const standby = await PostgresCluster.#run(folder, bin, user);
    await this.query('postgres', "ALTER SYSTEM SET synchronous_standby_names = '*'");
    await this.query('postgres', 'SELECT pg_reload_conf()');
    const state = 'SELECT sync_state FROM pg_stat_replication';
    while ((await this.query('postgres', state))[0]?.sync_state !== 'sync') await pause(LOOK_MS);
    return standby;
  }

  /** A standby becomes the primary. */
  async promote(): Promise<void> {
    await this.query('postgres', 'SELECT pg_promote()');
  }

  /** Start the server, after {@link stop} as well. */
  async resume(): Promise<void> {
    const settings = [
      `port=${this.port}`,
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${this.folder}`,
      'fsync=on',
      'max_connections=60',
      'shared_buffers=64MB',
    ];
    const words = settings.flatMap((setting) => ['-c', setting]);
    const disk = ['--size', String(this.#smallBytes), '--tmpfs', join(this.folder, 'small')];
    const onDisk =
      this.#smallBytes > 0 ? ['bwrap', '--die-with-parent', '--dev-bind', '/', '/', ...disk] : [];
    const [program, ...rest] = [...onDisk, 'setpriv', '--pdeathsig', 'QUIT'];
    const own = [join(this.#bin, 'postgres'), '-D', join(this.folder, 'data'), ...words];
    const server = spawn(program, [...rest, ...own], {
      ...this.#user,
      cwd: this.folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env.PATH },
    });
    this.#server = server;
    this.#exited = once(server, 'exit');
    let said = '';
    await new Promise<void>((resolve, reject) => {
      server.stderr?.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        if (/ready to accept (read-only )?connections/.test(said)) resolve();
      });
      server.once('exit', () => reject(new Error(`PostgreSQL ended: ${said}`)));
    });
    server.stderr?.removeAllListeners('data').resume();
    // A server that a test forgets keeps no process alive.
    server.unref();
    if (server.stderr instanceof Socket) server.stderr.unref();
  }

  /** `fast` lets it write what it has; `immediate` is as if the power had gone. */
  async stop(how: 'fast' | 'immediate' = 'fast'): Promise<void> {
    this.#server?.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
    this.#server?.ref();
    await this.#exited;
    this.#server = undefined;
  }

  /** The address of a database. */
  urlOf(database: string, password = CLUSTER_PASSWORD): string {
    return `postgres://${USER}:${encodeURIComponent(password)}@127.0.0.1:${this.port}/${database}`;
  }

  /** A new empty database; gives its address. */
  async createDatabase(): Promise<string> {
    this.#databases += 1;
    const name = `test_${process.pid}_${this.#databases}`;
    await this.query('postgres', `CREATE DATABASE ${name}`);
    return this.urlOf(name);
  }

  /** Ask a database by its name or its address, on a connection of its own. */
  async query(database: string, text: string): Promise<Record<string, unknown>[]> {
    const connectionString = database.includes('://') ? database : this.urlOf(database);
    const client = new Client({ connectionString });
    await client.connect();
    try {
      const { rows } = await client.query<Record<string, unknown>>(text);
      return rows;
    } finally {
      await client.end();
    }
  }

  #kill(): void {
    this.#server?.kill('SIGQUIT');
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

let shared: Promise<PostgresCluster> | undefined;

/** The cluster that all tests of this process share. */
export function sharedCluster(): Promise<PostgresCluster> {
  shared ??= PostgresCluster.start();
  return shared;
}
