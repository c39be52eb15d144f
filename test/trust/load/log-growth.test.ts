import { readdir, readFile, stat } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Installation } from '../../support/households/server-process.ts';
import { type Wire, wireOf } from '../wire/wire.ts';

const KILOBYTE = 1_024;
let installation: Installation;
let wire: Wire;
const agent = new Agent({ keepAlive: true, maxSockets: 8 });

beforeAll(async () => {
  installation = await Installation.create();
  wire = await wireOf(installation, await installation.start());
});
afterAll(async () => {
  agent.destroy();
  await installation.remove();
});

const folder = () => join(installation.folder, '.larder', 'logs');

async function logged(): Promise<number> {
  const sizes = (await readdir(folder())).map(async (name) => (await stat(join(folder(), name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

function ask(path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { port: wire.port, host: '127.0.0.1', path, agent, ca: wire.ca ?? undefined };
    const sending = request(options as object, (reply) => reply.resume().on('end', resolve));
    sending.on('error', reject).end();
  });
}

const times = (count: number, one: (n: number) => Promise<void>) =>
  Promise.all(
    Array.from({ length: 8 }, async (_, first) => {
      for (let n = first; n < count; n += 8) await one(n);
    }),
  );

it('400 requests with paths of 12,000 characters write less than 1 KB each into the log', async () => {
  const before = await logged();
  await times(400, (n) => ask(`/${n}/${'x'.repeat(12_000)}`));
  await expect.poll(async () => readFile(join(folder(), 'larder.log'), 'utf8')).toContain('"path":"/399/');
  expect((await logged()) - before).toBeLessThan(400 * KILOBYTE);
});

it('2,000 identical requests write a few lines, with the number of repetitions', async () => {
  const before = await logged();
  await times(2_000, () => ask('/the-same'));
  const text = () => readFile(join(folder(), 'larder.log'), 'utf8');
  await expect.poll(text, { timeout: 15_000 }).toMatch(/"path":"\/the-same".*\(repeated \d+ times\)/);
  const counted = (await text()).split('\n').filter((line) => line.includes('"path":"/the-same"'));
  const sum = counted.reduce((count, line) => count + Number(/"repeated":(\d+)/.exec(line)?.[1] ?? 1), 0);
  // Nothing is lost without a word; those of the last period may still be waiting.
  expect(sum).toBeLessThanOrEqual(2_000);
  expect(counted.length).toBeLessThan(50);
  expect((await logged()) - before).toBeLessThan(50 * KILOBYTE);
});
