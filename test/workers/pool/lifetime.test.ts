import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { isAlive, ODD_WORKER } from '../support.ts';

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
    const jobs = { echo: kind, wait: kind };
    const pool = createWorkerPool({ jobs, spawnWorker, log: { info() {} } });
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

it('ends with a server that is killed, also in the middle of a job', async () => {
  const { worker } = await start(`await pool.run('wait', 60000)`);
  expect(isAlive(worker)).toBe(true);
  server?.kill('SIGKILL');
  await expect.poll(() => isAlive(worker)).toBe(false);
});

it('keeps no server alive when its job is done', async () => {
  const { worker, exit } = await start(`await pool.run('echo', 1)`);
  const begun = Date.now();
  expect(await exit).toEqual([0, null]);
  // An idle worker would have kept it for thirty seconds.
  expect(Date.now() - begun).toBeLessThan(15_000);
  await expect.poll(() => isAlive(worker)).toBe(false);
});

it('lets a server that closes do what comes after it', async () => {
  const { worker, exit } = await start(`
    pool.run('wait', 60000).catch(() => undefined);
    await pool.close();
    process.exitCode = 7;`);
  expect(await exit).toEqual([7, null]);
  expect(isAlive(worker)).toBe(false);
});

it('goes on when somebody stops the server by a signal to all of its processes', async () => {
  const { worker, exit } = await start(`
    setTimeout(() => process.stdout.write('x'), 500);
    process.exitCode = (await pool.run('wait', 1500)) > 0 ? 9 : 8;`);
  await new Promise((resolve) => setTimeout(resolve, 700));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(worker, signal);
  expect(await exit).toEqual([9, null]);
});
