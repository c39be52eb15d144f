import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unlessUnreadable } from '../../../dist/server/files/download/read-text.js';
import { t } from '../../../dist/server/messages/messages.js';
import { forkFile, forkWorker } from '../../../dist/server/workers/pool/fork-worker.js';
import { createWorkerPool } from '../../../dist/server/workers/pool/worker-pool.js';
import { textJobs } from '../../../dist/server/workers/text/jobs.js';
import { signedIn } from '../../nextcloud/support.ts';
import type { WebVisitor } from '../../support/browser/web-visitor.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { log } from '../../workers/support.ts';
import { fillHome } from '../files/support.ts';

/** What people see of a text while the workers that find its encoding are busy, stop or fail. */

const ODD_WORKER = fileURLToPath(new URL('../../workers/odd-text-worker.mjs', import.meta.url));
/** No UTF-8, so that a worker is asked. The odd one does what the text says. */
const bytesOf = (text: string) => Buffer.from(`${text} \xe9`, 'latin1');
/** More than the workers have at the same time, and more than may wait (`DEFAULT_LIMITS` of the pool). */
const MANY = 40;

describe('a page', () => {
  let household: Household;
  let ann: WebVisitor;

  beforeAll(async () => {
    household = await openHousehold({
      spawnWorker: (entry, options) => (entry === 'text-worker' ? forkFile(ODD_WORKER) : forkWorker(entry, options)),
    });
    await fillHome(
      household.home,
      Object.fromEntries(
        ['jam', 'abort', 'lie', 'wait'].flatMap((word) =>
          ['txt', 'md'].map((type) => [`${word}.${type}`, bytesOf(word)]),
        ),
      ),
    );
    ann = await signedIn(household);
  });
  afterAll(() => household.close());

  const page = (word: string) => ann.get(`/files/item?path=/ROOT/HOME/${word}.txt`);

  it.each(['abort', 'lie'])(
    'is shown without the text if its worker fails (%s), and other files are shown',
    async (word) => {
      const { status, text } = await page(word);
      expect(status).toBe(200);
      expect(text).toContain(`${word}.txt`);
      expect(text).toContain(t('viewer.notText.heading'));
      expect((await page('jam')).text).toContain('jam é');
      const { status: framed, text: note } = await ann.get(`/files/view?path=/ROOT/HOME/${word}.md`);
      expect([framed, note]).toEqual([200, expect.stringContaining(t('viewer.notText.heading'))]);
    },
  );

  it('shows that a file cannot be shown at the moment while too many others wait', async () => {
    const replies: { status: number; text: string }[] = [];
    const waiting = Array.from({ length: MANY }, () =>
      page('wait').then(
        (reply) => replies.push(reply),
        // The server stops before these are answered.
        () => undefined,
      ),
    );
    await expect.poll(() => replies.length).toBeGreaterThan(0);
    const [first] = replies;
    expect([first?.status, first?.text]).toEqual([200, expect.stringContaining(t('viewer.failed.heading'))]);
    expect(first?.text).toContain('wait.txt');
    const framed = await ann.get('/files/view?path=/ROOT/HOME/wait.md');
    expect([framed.status, framed.text]).toEqual([429, expect.stringContaining(t('viewer.failed.heading'))]);
    await household.restart();
    await Promise.all(waiting);
    ann = await signedIn(household);
    expect((await page('jam')).text).toContain('jam é');
  });
});

describe('the job of a text', () => {
  const decode = (pool: ReturnType<typeof open>, word: string) =>
    unlessUnreadable(pool.run('decode', { content: bytesOf(word), isCut: false, isMarkup: false }));
  const open = () =>
    createWorkerPool({
      jobs: textJobs,
      log,
      limits: { workers: 1, waiting: 1 },
      spawnWorker: () => forkFile(ODD_WORKER),
    });

  it('is refused while too many others wait, and ends with the server', async () => {
    const pool = open();
    const held = [decode(pool, 'wait'), decode(pool, 'wait')];
    const ended = Promise.allSettled(held);
    await expect(decode(pool, 'jam')).rejects.toMatchObject({
      code: 'too_many_requests',
      message: t('viewer.failed.heading'),
      headers: { 'Retry-After': '5' },
    });
    await pool.close();
    for (const one of await ended)
      expect(one).toMatchObject({
        status: 'rejected',
        reason: { code: 'shutting_down', message: t('api.service.stopping') },
      });
    await expect(decode(pool, 'jam')).rejects.toMatchObject({ code: 'shutting_down' });
  });

  it('returns no text if the worker fails, and the next one gets a new worker', async () => {
    const pool = open();
    try {
      for (const word of ['abort', 'lie']) {
        expect(await decode(pool, word)).toBeNull();
        expect(await decode(pool, 'jam')).toEqual({ text: 'jam é' });
      }
    } finally {
      await pool.close();
    }
  });
});
