import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Installation } from '../../support/households/server-process.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { eventually } from '../../support/system/eventually.ts';

/** A refusal of the system: which calls, with what, and which of them in each thread (`when=` of strace). */
export interface Refusal {
  readonly calls: string;
  readonly error: 'EIO' | 'ENOSPC';
  readonly when: string;
}

export interface RefusalReport {
  readonly refusals: number;
  readonly acknowledged: number;
  readonly refused: number;
  /** How often the server ended. */
  readonly deaths: number;
  readonly statuses: ReadonlyMap<number, number>;
  /** What must not be, in sentences. */
  readonly complaints: readonly string[];
}

/** Contents by path below the folder of a round; folders end in a slash. */
type State = ReadonlyMap<string, string>;

interface Change {
  readonly told: string;
  send(api: ApiClient): Promise<{ readonly status: number; readonly text: string }>;
  /** The state behind it; null where it cannot have happened. */
  after(state: State): State | null;
}

const FOLDER = '/ROOT/HOME';

/**
 * Works through a short mixed sequence of changes, once for each refusal, while strace lets calls of the running server
 * fail. A change that is refused may have happened or not, whole; one that is acknowledged has. Then the server is killed and
 * started again without refusals, and everything is looked at anew.
 * @param restartEvery refusals after which it is
 */
export async function refuse(refusals: readonly Refusal[], restartEvery = 10): Promise<RefusalReport> {
  const installation = await Installation.create();
  const complaints: string[] = [];
  const statuses = new Map<number, number>();
  let [acknowledged, refused, deaths] = [0, 0, 0];
  const rounds: { readonly name: string; readonly told: string; states: State[] }[] = [];
  let api = await installation.start();

  async function restart(): Promise<void> {
    await installation.kill();
    api = await installation.start();
    for (const round of rounds.splice(0)) await look(round, 'after a start');
    complaints.push(...(await doctorsWord(installation)));
  }

  async function look(round: (typeof rounds)[number], when: string): Promise<void> {
    const found = await contentsOf(join(installation.home, round.name));
    const fitting = round.states.filter((state) => isSame(state, found));
    if (fitting.length === 0)
      complaints.push(`${round.told}, ${when}: there is ${tell(found)}, not ${round.states.map(tell).join(', or ')}`);
    else round.states = fitting;
  }

  try {
    for (const [index, refusal] of refusals.entries()) {
      const told = `${refusal.calls} ${refusal.error} ${refusal.when}`;
      const round = { name: `r${index}`, told, states: [new Map()] as State[] };
      rounds.push(round);
      await mkdir(join(installation.home, round.name));
      await api.get('files/browse', { path: `${FOLDER}/${round.name}` });
      const tracer = await attach(installation.pid, refusal);
      for (const change of changes(round.name)) {
        const reply = await change.send(api).catch(() => null);
        const status = reply?.status ?? 0;
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        const happened = round.states.flatMap((state) => change.after(state) ?? []);
        if (reply !== null && /SQLITE|\bE(?:IO|NOSPC)\b|\/tmp\//.test(reply.text))
          complaints.push(`${told}: ${change.told} says ${reply.text}`);
        if (status >= 200 && status < 300) {
          acknowledged += 1;
          if (isFlushRefused(refusal))
            complaints.push(`${told}: ${change.told} was acknowledged, and nothing could be flushed`);
          if (happened.length === 0)
            complaints.push(`${told}: ${change.told} was acknowledged, and cannot have happened`);
          else round.states = happened;
        } else {
          refused += 1;
          round.states.push(...happened);
        }
        if (status === 0) break;
      }
      await detach(tracer);
      if (!(await answers(api))) {
        deaths += 1;
        await restart();
      } else if ((index + 1) % restartEvery === 0) await restart();
    }
    await restart();
    return { refusals: refusals.length, acknowledged, refused, deaths, statuses, complaints };
  } finally {
    await installation.remove();
  }
}

/** Every flush fails: nothing may be called stored then. */
const isFlushRefused = ({ calls, when }: Refusal) => /fsync/.test(calls) && /fdatasync/.test(calls) && when === '1+';

function changes(round: string): Change[] {
  const path = (name: string) => `${FOLDER}/${round}/${name}`;
  const put = (name: string, content: string): Change => ({
    told: `upload of ${name}`,
    send: (api) => api.put({ path: path(name) }, content),
    after: (state) => new Map(state).set(name, hashOf(content)),
  });
  const moved = (state: State, from: string, to: string | null, keep = false): State | null => {
    const content = state.get(from);
    if (content === undefined || (to?.startsWith('sub/') && !state.has('sub/'))) return null;
    const next = new Map(state);
    if (!keep) next.delete(from);
    if (to !== null) next.set(to, content);
    return next;
  };
  return [
    put('a.txt', 'first'),
    put('a.txt', 'second'),
    {
      told: 'new folder',
      send: (api) => api.post('files/createfolder', { path: `${FOLDER}/${round}`, name: 'sub' }),
      after: (state) => new Map(state).set('sub/', ''),
    },
    {
      told: 'copy',
      send: (api) => api.post('files/copy', { path: path('a.txt'), copyTo: path('sub') }),
      after: (state) => moved(state, 'a.txt', 'sub/a.txt', true),
    },
    put('b.bin', 'b'.repeat(300_000)),
    {
      told: 'rename',
      send: (api) => api.post('files/rename', { path: path('b.bin'), newName: 'c.bin' }),
      after: (state) => moved(state, 'b.bin', 'c.bin'),
    },
    put('d.txt', 'to be moved'),
    {
      told: 'move',
      send: (api) => api.post('files/move', { path: path('d.txt'), moveTo: path('sub') }),
      after: (state) => moved(state, 'd.txt', 'sub/d.txt'),
    },
    put('e.txt', 'to be deleted'),
    {
      told: 'delete',
      send: (api) => api.post('files/delete', { path: path('e.txt') }),
      after: (state) => moved(state, 'e.txt', null),
    },
    put('a.txt', 'third'),
  ];
}

async function attach(pid: number, { calls, error, when }: Refusal): Promise<ChildProcess> {
  const args = ['-f', '-q', '-o', '/dev/null', '-p', String(pid), '-e', `trace=${calls}`];
  const tracer = spawn('strace', [...args, '-e', `inject=${calls}:error=${error}:when=${when}`], { stdio: 'ignore' });
  // It says that it has attached only where it is not quiet; the system says it always.
  const isTraced = async () => !/TracerPid:\t0$/m.test(await readFile(`/proc/${pid}/status`, 'utf8'));
  await eventually(isTraced, (seen) => seen);
  return tracer;
}

async function detach(tracer: ChildProcess): Promise<void> {
  if (tracer.exitCode !== null || tracer.signalCode !== null) return;
  tracer.kill('SIGINT');
  await once(tracer, 'exit');
}

const answers = (api: ApiClient) =>
  api.send('GET', '/healthz').then(
    ({ status }) => status === 200,
    () => false,
  );

async function doctorsWord(installation: Installation): Promise<string[]> {
  let wrong: string[] = [];
  const look = async () => {
    const { problems, notes } = await installation.doctor();
    wrong = [
      ...problems,
      ...notes.filter((note) => /other programs|belongs to nothing|interrupted|is left of/.test(note)),
    ];
    return wrong;
  };
  await eventually(look, (seen) => seen.length === 0).catch((error) => {
    if (wrong.length === 0) throw error;
  });
  return wrong.map((text) => `the doctor says: ${text}`);
}

const hashOf = (content: string | Uint8Array) => createHash('sha256').update(content).digest('base64').slice(0, 8);

async function contentsOf(folder: string, prefix = ''): Promise<State> {
  const found = new Map<string, string>();
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) found.set(prefix + entry.name, hashOf(await readFile(path)));
    else
      for (const [name, hash] of [[`${entry.name}/`, ''] as const, ...(await contentsOf(path, `${entry.name}/`))])
        found.set(prefix + name, hash);
  }
  return found;
}

const isSame = (one: State, other: State) =>
  one.size === other.size && [...one].every(([name, hash]) => other.get(name) === hash);

const tell = (state: State) => `{${[...state].map(([name, hash]) => `${name} ${hash}`).join(', ')}}`;
