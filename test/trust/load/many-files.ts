import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Installation } from '../../support/households/server-process.ts';
import { eventually } from '../../support/system/eventually.ts';

export interface ManyReport {
  readonly items: number;
  /** Milliseconds until the index had them all. */
  readonly indexed: number;
  /** Milliseconds from the start of the process after a kill, of each start. */
  readonly starts: readonly { readonly healthy: number; readonly browsed: number }[];
  /** Changes that were acknowledged before the kills. */
  readonly acknowledged: number;
}

const IN_A_FOLDER = 500;
const CONCURRENCY = 50;
const CLIENTS = 4;
/** Milliseconds of load before a kill. */
const LOAD = 1_500;
/** Milliseconds in which the index has everything. */
const TIMEOUT = 1_800_000;

/** Fills a home with files, and measures the start after a kill under load: until it is healthy, and until somebody sees files. */
export async function startWithMany({ items, kills }: { items: number; kills: number }): Promise<ManyReport> {
  const installation = await Installation.create();
  try {
    await fill(installation.home, items);
    let api = await installation.start();
    const began = performance.now();
    const isIndexed = async () => {
      const { catalogue } = (await installation.control('status')) as {
        catalogue: { state: string; items: number }[];
      };
      return catalogue.every(({ state }) => state === 'ready');
    };
    await eventually(isIndexed, (is) => is, TIMEOUT);
    const last = `f${items - 1}.txt`;
    const found = await api.post('files/search', { path: '/ROOT/HOME', filename: last });
    if (!found.text.includes(last)) throw new Error(`the index does not have ${last}: ${found.status} ${found.text}`);
    const indexed = performance.now() - began;
    const starts: ManyReport['starts'][number][] = [];
    let acknowledged = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      const load = Array.from({ length: CLIENTS }, async (_, client) => {
        for (let n = 0; ; n += 1) {
          const path = `/ROOT/HOME/d${client}/new-${kill}-${n}.txt`;
          const reply = await api.put({ path }, 'new').catch(() => null);
          if (reply === null) return;
          if (reply.status === 201) acknowledged += 1;
        }
      });
      await new Promise((done) => setTimeout(done, LOAD));
      await installation.kill();
      await Promise.all(load);
      const from = performance.now();
      api = await installation.start();
      const { status } = await api.send('GET', '/healthz');
      const healthy = performance.now() - from;
      const { body } = await api.get('files/browse', { path: '/ROOT/HOME/d0' });
      const browsed = performance.now() - from;
      if (status !== 200 || !body.success) throw new Error('it does not answer after a kill');
      if (body.data.files.length < Math.min(items, IN_A_FOLDER)) throw new Error('there are files missing');
      starts.push({ healthy, browsed });
    }
    return { items, indexed, starts, acknowledged };
  } finally {
    await installation.remove();
  }
}

async function fill(home: string, items: number): Promise<void> {
  for (let first = 0; first < items; first += IN_A_FOLDER) {
    const folder = join(home, `d${first / IN_A_FOLDER}`);
    await mkdir(folder);
    const names = Array.from({ length: Math.min(IN_A_FOLDER, items - first) }, (_, n) => `f${first + n}.txt`);
    for (let at = 0; at < names.length; at += CONCURRENCY)
      await Promise.all(names.slice(at, at + CONCURRENCY).map((name) => writeFile(join(folder, name), name)));
  }
}
