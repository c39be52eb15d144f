import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { connectedApp, requestsIn, synchronize } from '../../nextcloud/support.ts';
import { openHousehold } from '../../support/households/household.ts';
import { isInstalled } from '../../support/system/is-installed.ts';
import { davClient } from '../../support/webdav/dav-client.ts';

const FILES = Number(process.env.LARDER_FILES ?? 20_000);
const IN_A_FOLDER = 200;
const run = promisify(execFile);

/** Small files in folders of 200, each with another content. */
async function makeFiles(root: string): Promise<void> {
  for (let from = 0; from < FILES; from += IN_A_FOLDER) {
    const folder = join(root, `folder ${from / IN_A_FOLDER}`);
    await mkdir(folder, { recursive: true });
    const names = Array.from({ length: Math.min(IN_A_FOLDER, FILES - from) }, (_, index) => from + index);
    await Promise.all(names.map((name) => writeFile(join(folder, `file ${name}.txt`), `${name} `.repeat(100))));
  }
}

/** Seconds that some work takes, and the requests of it. */
async function measured(logged: () => string, work: () => Promise<unknown>) {
  const before = logged().length;
  const begun = performance.now();
  await work();
  const seconds = (performance.now() - begun) / 1_000;
  return { seconds, requests: requestsIn(logged().slice(before)).length };
}

const said = ({ seconds, requests }: Awaited<ReturnType<typeof measured>>) =>
  `${seconds.toFixed(seconds < 10 ? 1 : 0)} s, ${requests} requests`;

it.runIf(isInstalled('nextcloudcmd') && isInstalled('rclone'))(
  `the desktop client and rclone complete a first sync of ${FILES} small files, and one without changes`,
  { timeout: 3_600_000 },
  async ({ task }) => {
    const folder = await mkdtemp(join(tmpdir(), 'larder-first-sync-'));
    const household = await openHousehold();
    try {
      const [app, dav] = [await connectedApp(household), await davClient(await household.signIn())];
      const [one, other, down] = [join(folder, 'one'), join(folder, 'other'), join(folder, 'down')];
      for (const local of [one, other, down]) await mkdir(local);
      await makeFiles(join(one, 'by the client'));
      await makeFiles(join(other, 'by rclone'));
      // Without anything that stays, the client asks before it changes everything.
      await writeFile(join(household.home, 'stays.txt'), 'here');
      const ca = join(folder, 'ca.crt');
      await writeFile(ca, household.ca);
      const env = {
        ...process.env,
        RCLONE_CONFIG: join(folder, 'rclone.conf'),
        RCLONE_CONFIG_LARDER_TYPE: 'webdav',
        RCLONE_CONFIG_LARDER_URL: `https://localhost:${household.port}/dav/My%20files`,
        RCLONE_CONFIG_LARDER_VENDOR: 'other',
        RCLONE_CONFIG_LARDER_USER: dav.username,
        RCLONE_CONFIG_LARDER_PASS: (await run('rclone', ['obscure', dav.password])).stdout.trim(),
        RCLONE_CA_CERT: ca,
        XDG_CACHE_HOME: join(folder, 'cache'),
      };
      const rclone = (command: string, from: string, to: string) =>
        run('rclone', [command, from, to, '--size-only'], { env, maxBuffer: 64 * 1024 * 1024 });
      const sync = () => synchronize(household, app, one, join(folder, 'config'));
      const remote = 'larder:by rclone';
      const upload = await measured(household.logged, sync);
      // The client lists once more the folders that it has sent, because their tags have changed meanwhile.
      const lists = await measured(household.logged, sync);
      const again = await measured(household.logged, sync);
      const copied = await measured(household.logged, () => rclone('copy', join(other, 'by rclone'), remote));
      const unchanged = await measured(household.logged, () => rclone('sync', join(other, 'by rclone'), remote));
      const back = await measured(household.logged, () => rclone('copy', remote, down));
      // What rclone has sent, the client receives.
      const received = await measured(household.logged, sync);
      task.meta.trust = {
        tried: `${FILES} files of about 500 bytes in folders of ${IN_A_FOLDER}`,
        found: [
          `the desktop client sends them in ${said(upload)}, lists their folders in ${said(lists)}, finds no change in ${said(again)}, and receives as many in ${said(received)}`,
          `rclone sends them in ${said(copied)}, finds no change in ${said(unchanged)}, and receives them in ${said(back)}`,
        ].join('; '),
      };
      // A sync without changes lists what has another tag, and nothing has.
      expect(again.requests).toBeLessThan(20);
      expect(lists.requests).toBeLessThan(FILES / 20);
    } finally {
      await household.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
);
