import { X509Certificate } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openControlChannel } from '../../dist/main/processes/control-channel.js';
import {
  createServerProcess,
  type ServerProcess,
  type ServerProcessParts,
} from '../../dist/main/processes/server-process.js';
import type { ServerState } from '../../dist/server/control/contract/window.js';
import { describeInFull, itInFull } from '../support/forms.ts';
import { appOfFolder } from '../support/households/app-of-folder.ts';
import { OWNER } from '../support/households/household.ts';
import { type SetUp, setUpFolder } from '../support/households/set-up-folder.ts';
import type { ApiClient } from '../support/requests/api-client.ts';
import { holdBody } from '../support/requests/held-body.ts';
import { like } from '../support/server-texts.ts';
import { fixture } from '../workers/thumbnail-support.ts';
import { applicationText } from './application-texts.ts';
import { utilityProcesses } from './utility-process.ts';

const FREE = { port: 0, httpPort: 0, controlPort: 0, host: '127.0.0.1' };

let base: string;
let folder: string;
let processes: ReturnType<typeof utilityProcesses>;
let states: ServerState[];
let server: ServerProcess;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'larder-desktop-'));
  folder = join(base, 'larder');
  processes = utilityProcesses();
  states = [];
});
afterEach(async () => {
  await server.stop();
  expect(server.state.kind).toBe('stopped');
  await expect.poll(() => processes.alive()).toEqual([]);
  await rm(base, { recursive: true, force: true });
});

function supervise(more: Partial<ServerProcessParts> = {}): ServerProcess {
  const own: ServerState[] = [];
  states = own;
  server = createServerProcess({
    command: 'larder',
    ...processes.parts,
    flags: () => ({ folder, ...FREE }),
    onState: (state) => own.push(state),
    ...more,
  });
  server.start();
  return server;
}

const kinds = () => states.map(({ kind }) => kind);
const running = () => expect.poll(() => server.state).toMatchObject({ kind: 'running' });
/** The first failure: with a short wait before the next try it is soon over. */
const failed = async () => {
  await expect.poll(kinds).toContain('failed');
  return states.find(({ kind }) => kind === 'failed') as Extract<ServerState, { kind: 'failed' }>;
};
function control() {
  if (server.control === null) throw new Error('no server runs');
  return openControlChannel(server.control);
}

function signIn(client: SetUp): Promise<ApiClient> {
  if (server.state.kind !== 'running') throw new Error('no server runs');
  return appOfFolder(folder, Number(new URL(server.state.addresses[0] ?? '').port), client);
}

describe('a server that starts', () => {
  it('reports its progress, answers over the channel and over HTTPS, and stops', async () => {
    const client = await setUpFolder(folder);
    supervise();
    expect(server.control).toBeNull();
    await running();
    expect(states.map((state) => (state.kind === 'starting' ? state.step : state.kind))).toEqual([
      ...['opening', 'opening', 'listening', 'running'],
    ]);
    expect(await control().invoke('status', {})).toMatchObject({ folder, hasOwner: true });
    // What the flags do not say is in the environment, as for any other server.
    const certificate = new X509Certificate(await readFile(join(folder, '.larder', 'tls', 'server.crt')));
    expect(certificate.subjectAltName).toContain('DNS:attic.local');
    const api = await signIn(client);
    expect((await api.get('files/browse', { path: '/ROOT/HOME' })).status).toBe(200);
    expect(await readFile((server.state as { log: string }).log, 'utf8')).toContain('"started"');
    await server.stop();
    expect(kinds().slice(-2)).toEqual(['stopping', 'stopped']);
    expect(server.control).toBeNull();
    expect(processes.alive()).toEqual([]);
    // The folder is free again.
    server.start();
    await running();
  });

  it('decodes in processes that the desktop application starts, and that end with it', async () => {
    const client = await setUpFolder(folder);
    supervise();
    await running();
    const api = await signIn(client);
    const photo = await readFile(fixture('pictures/plain.jpg'));
    expect((await api.put({ path: '/ROOT/HOME/photo.jpg' }, photo)).status).toBe(201);
    const thumbnail = await api.get('files/thumbnail', { path: '/ROOT/HOME/photo.jpg' });
    expect([thumbnail.status, thumbnail.headers['content-type']]).toEqual([200, 'image/jpeg']);
    const [own, ...workers] = processes.alive();
    expect(workers.length).toBeGreaterThan(0);
    for (const worker of workers) worker.kill('SIGKILL');
    await expect.poll(() => processes.alive().some((one) => workers.includes(one))).toBe(false);
    // What was said to the server before this has arrived: that they have gone.
    await control().invoke('status', {});
    // Another one: what a process has died of is not tried again.
    expect((await api.put({ path: '/ROOT/HOME/other.jpg' }, photo)).status).toBe(201);
    expect((await api.get('files/thumbnail', { path: '/ROOT/HOME/other.jpg' })).status).toBe(200);
    expect(processes.alive().length).toBeGreaterThan(1);
    own?.kill('SIGKILL');
    await expect.poll(() => processes.alive().filter(({ pid }) => pid !== own?.pid).length).toBeLessThanOrEqual(1);
  });

  itInFull('lets an upload in progress finish when it is stopped', async () => {
    const client = await setUpFolder(folder);
    supervise();
    await running();
    const api = await signIn(client);
    // The description, against which replies are held, is read while there is somebody to ask.
    await api.get('files/browse', { path: '/ROOT/HOME' });
    const held = holdBody(Buffer.alloc(8 * 1024 * 1024, 7));
    const sent = api.put({ path: '/ROOT/HOME/large.bin' }, held.body, held.headers);
    const incoming = join(folder, '.larder', 'incoming');
    const sizes = async () => {
      const found = await Promise.all((await readdir(incoming)).map((name) => stat(join(incoming, name))));
      return Math.max(0, ...found.filter((one) => one.isFile()).map(({ size }) => size));
    };
    await expect.poll(() => sizes().catch(() => 0)).toBeGreaterThan(0);
    const stopped = server.stop();
    expect(server.state.kind).toBe('stopping');
    held.release();
    expect((await sent).status).toBe(201);
    await stopped;
    expect((await readFile(join(folder, 'homes', OWNER.username, 'large.bin'))).length).toBe(8 * 1024 * 1024);
  });

  itInFull('reports changes of its addresses while it runs', async () => {
    const program = join(base, 'moving.mjs');
    const said = [
      { kind: 'addresses', addresses: ['https://too.early'] },
      { kind: 'ready', version: '1.0.0', addresses: ['https://one'], log: '/log' },
      { kind: 'addresses', addresses: ['https://one', 'https://two'] },
      { kind: 'addresses', addresses: 'none of the contract' },
    ];
    await writeFile(
      program,
      `for (const said of ${JSON.stringify(said)}) process.parentPort.postMessage(said);
       process.parentPort.on('message', ({ data }) => data.kind === 'stop' && process.exit(0));`,
    );
    supervise({ fork: () => processes.forkOther(program) });
    await expect.poll(() => server.state).toMatchObject({ kind: 'running', addresses: ['https://one', 'https://two'] });
    expect(kinds()).toEqual(['starting', 'running', 'running']);
  });

  it('stops automatically when the desktop application has ended', async () => {
    await setUpFolder(folder);
    const ends: { close(): void }[] = [];
    supervise({
      newPorts() {
        const pair = processes.parts.newPorts();
        ends.push(pair.first as { close(): void });
        return pair;
      },
      times: { firstRetry: 60_000 },
    });
    await running();
    ends[0]?.close();
    await failed();
    expect(await readFile(join(folder, '.larder', 'logs', 'larder.log'), 'utf8')).toContain('"stopped"');
  });
});

describe('a server that does not start', () => {
  it('reports which folder is wrong, and is not retried until requested', async () => {
    await writeFile(folder, 'a file');
    supervise({ times: { firstRetry: 1 } });
    const { failure, retryIn } = await failed();
    expect([failure.reason, retryIn]).toEqual(['folder', null]);
    expect(failure.message).toContain(folder);
    expect(failure.advice).toMatch(/^[A-Z].*\.$/);
    await rm(folder);
    await setUpFolder(folder);
    server.start();
    await running();
  });

  it('reports a missing or damaged database, creates no other, and starts after it is restored', async () => {
    await setUpFolder(folder);
    const database = join(folder, '.larder', 'larder.sqlite');
    await rename(database, `${database} away`);
    supervise({ flags: () => ({ folder, ...FREE, mustExist: true }), times: { firstRetry: 1 } });
    const { failure, retryIn } = await failed();
    expect([failure.reason, retryIn]).toEqual(['database', null]);
    expect(failure.message).toContain(`${database} is missing`);
    expect(failure.advice).toMatch(like('api.backup.putBackAny'));
    expect(await readdir(join(folder, '.larder'))).not.toContain('larder.sqlite');
    await writeFile(database, 'no database '.repeat(2_000));
    server.start();
    await expect.poll(() => JSON.stringify(server.state)).toContain('is damaged');
    await rename(`${database} away`, database);
    server.start();
    await running();
  });

  itInFull('for a temporary reason is retried, and runs afterwards', async () => {
    await setUpFolder(folder);
    const lock = join(folder, '.larder', 'lock.sqlite');
    await rm(lock, { force: true });
    await mkdir(lock);
    supervise({ times: { firstRetry: 50, longestRetry: 100 } });
    const { failure, retryIn } = await failed();
    expect([failure.reason, retryIn]).toEqual(['folder', 50]);
    expect(failure.message).toContain(lock);
    await rm(lock, { recursive: true });
    await running();
  });

  itInFull('reports that another server uses the folder or the port', async () => {
    await setUpFolder(folder);
    supervise();
    await running();
    const first = server;
    const seen = states;
    supervise();
    expect((await failed()).failure.reason).toBe('in_use');
    await first.stop();
    expect(seen.at(-1)?.kind).toBe('stopped');
    const taker = createServer().listen(0, '127.0.0.1');
    await expect.poll(() => taker.address()).not.toBeNull();
    const { port } = taker.address() as { port: number };
    supervise({ flags: () => ({ folder, ...FREE, port }) });
    const { failure } = await failed();
    expect(failure.reason).toBe('port');
    expect(failure.message).toContain(String(port));
    taker.close();
  });

  it('is killed if it reports nothing for too long', async () => {
    const program = join(base, 'silent.mjs');
    await writeFile(program, 'setInterval(() => {}, 1000);');
    supervise({ fork: () => processes.forkOther(program), times: { silence: 300, firstRetry: 60_000 } });
    const { failure, retryIn } = await failed();
    expect([failure.reason, failure.message, retryIn]).toEqual([
      'other',
      applicationText('server.silent.message'),
      60_000,
    ]);
    expect(processes.alive()).toEqual([]);
  });

  itInFull('is only reported if its program cannot be started at all', async () => {
    let tries = 0;
    supervise({
      fork() {
        tries += 1;
        throw new Error('no memory');
      },
      times: { firstRetry: 10, longestRetry: 20 },
    });
    expect((await failed()).failure.message).toContain('no memory');
    await expect.poll(() => tries).toBeGreaterThan(2);
  });
});

describe('a process that does not end', () => {
  it('is eventually treated as ended', async () => {
    supervise({
      fork: () => ({
        postMessage: () => undefined,
        onMessage: () => undefined,
        onStart: () => undefined,
        onExit: () => undefined,
        kill: () => undefined,
      }),
      times: { stop: 20, giveUp: 20 },
    });
    await server.stop();
    expect(kinds()).toEqual(['starting', 'stopping', 'stopped']);
  });

  itInFull('is ended also if that was requested before its start', async () => {
    const program = join(base, 'sleeping.mjs');
    await writeFile(program, 'setInterval(() => {}, 1000);');
    const forked = processes.forkOther(program);
    forked.kill();
    await expect.poll(() => processes.alive()).toEqual([]);
    supervise();
  });

  itInFull('is never started again after a permanent end', async () => {
    await setUpFolder(folder);
    supervise();
    await running();
    const ended = server.end();
    server.start();
    await ended;
    server.start();
    expect(kinds().slice(-2)).toEqual(['stopping', 'stopped']);
    expect(processes.alive()).toEqual([]);
  });
});

describeInFull('a server that crashes', () => {
  it('fails pending requests, and is restarted', async () => {
    await setUpFolder(folder);
    supervise({ times: { firstRetry: 200 } });
    await running();
    const before = control();
    const [child] = processes.alive();
    child?.kill('SIGSTOP');
    const call = before.invoke('status', {}).catch((error) => error.failure);
    child?.kill('SIGKILL');
    expect(await call).toMatchObject({ code: 'refused' });
    expect((await failed()).retryIn).toBe(200);
    await running();
    expect(await control().invoke('status', {})).toMatchObject({ hasOwner: true });
    await expect(before.invoke('status', {})).rejects.toMatchObject({ failure: { code: 'refused' } });
  });

  itInFull('repeatedly is restarted after increasing delays, and not after a request to stop', async () => {
    const program = join(base, 'dying.mjs');
    await writeFile(program, 'process.exit(9);');
    const superviseDying = () =>
      supervise({ fork: () => processes.forkOther(program), times: { firstRetry: 10, longestRetry: 40 } });
    const waits = () => states.flatMap((state) => (state.kind === 'failed' ? [state.retryIn] : []));
    superviseDying();
    await expect.poll(() => waits().length).toBeGreaterThanOrEqual(5);
    expect(waits().slice(0, 5)).toEqual([10, 20, 40, 40, 40]);
    await server.stop();
    const stopped = states;
    const { length } = stopped;
    // Another one waits 70 ms and more until it fails for the fourth time. A start of the first would come before that.
    superviseDying();
    await expect.poll(() => waits().length).toBeGreaterThanOrEqual(4);
    expect(stopped).toHaveLength(length);
  });
});
