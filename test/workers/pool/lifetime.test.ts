import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { heldJob, isAlive, ODD_WORKER } from '../support.ts';

const built = (file: string) => fileURLToPath(new URL(`../../../dist/server/workers/pool/${file}`, import.meta.url));

let server: ChildProcess | undefined;
afterEach(() => {
  server?.kill('SIGKILL');
});

/** A process that does jobs, and says the ids of its workers. */
async function start(work: string): Promise<{ worker: number; exit: Promise<unknown[]> }> {
  const program = `
    const { createWorkerPool } = await import(${JSON.stringify(built('worker-pool.js'))});
    const { forkFile } = await import(${JSON.stringify(built('fork-worker.js'))});
    const any = { safeParse: (data) => ({ success: true, data }) };
    const kind = { input: any, output: any };
    const spawnWorker = () => {
      const made = forkFile(${JSON.stringify(ODD_WORKER)});
      process.stdout.write(made.pid + '\\n');
      return made;
    };
    const jobs = { echo: kind, endless: kind, held: kind };
    // An idle worker stays for days.
    const limits = { idle: 1_000_000_000, deadline: 1_000_000_000 };
    const pool = createWorkerPool({ jobs, spawnWorker, limits, log: { info() {} } });
    ${work}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  server = child;
  const exit = once(child, 'exit');
  const [line] = (await Promise.race([
    once(child.stdout, 'data'),
    exit.then(([code]) => Promise.reject(new Error(`the program ended with ${code}`))),
  ])) as [Buffer];
  return { worker: Number(String(line).trim()), exit };
}

it('ends if its server is killed, also during a job', async () => {
  const { worker } = await start(`await pool.run('endless', undefined)`);
  expect(isAlive(worker)).toBe(true);
  server?.kill('SIGKILL');
  await expect.poll(() => isAlive(worker)).toBe(false);
});

it('does not keep its server alive after its job', async () => {
  const { worker, exit } = await start(`await pool.run('echo', 1)`);
  // An idle worker does not keep it.
  expect(await exit).toEqual([0, null]);
  await expect.poll(() => isAlive(worker)).toBe(false);
});

it('lets a server continue after it closes the pool', async () => {
  const { worker, exit } = await start(`
    pool.run('endless', undefined).catch(() => undefined);
    await pool.close();
    process.exitCode = 7;`);
  expect(await exit).toEqual([7, null]);
  expect(isAlive(worker)).toBe(false);
});

it('finishes its job if a signal to stop reaches all processes of the server', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'larder-test-'));
  try {
    const path = join(folder, 'job');
    const job = heldJob(path);
    const { worker, exit } = await start(
      `process.exitCode = (await pool.run('held', ${JSON.stringify(path)})) > 0 ? 9 : 8;`,
    );
    await job.hasBegun();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(worker, signal);
    // A signal that ends a process does so before it sees the file.
    await job.goOn();
    expect(await exit).toEqual([9, null]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
