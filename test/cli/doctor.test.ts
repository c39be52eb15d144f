import { access, chmod, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { whyNotOpened } from '../../dist/server/control/doctor/before-opening.js';
import { Connection } from '../../dist/server/database/connection.js';
import { lockFolder } from '../../dist/server/database/folder-lock.js';
import { layoutOf } from '../../dist/server/storage/layout.js';
import { treeOf } from '../support/content/tree.ts';
import { describeInFull, isFullForm, itInFull, sampled } from '../support/forms.ts';
import { like, t } from '../support/server-texts.ts';
import { type Installation, run, setUpInstallation } from './support.ts';

let installation: Installation;

beforeEach(async () => {
  installation = await setUpInstallation();
});
afterEach(() => installation.remove());

const area = (...names: string[]) => join(installation.folder, '.larder', ...names);
const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/** The report, which is all of standard output, and the exit code that goes with it. */
async function doctor(...flags: string[]) {
  const { code, stdout, stderr } = await installation.larder(['doctor', '--json', ...flags]);
  expect(stderr).toBe('');
  expect(stdout.trim().split('\n')).toHaveLength(1);
  const report = JSON.parse(stdout) as { ok: boolean; problems: string[]; notes: string[]; repaired?: string[] };
  expect(code).toBe(report.ok ? 0 : 1);
  expect(report.ok).toBe(report.problems.length === 0);
  // Which addresses the machine of these tests has is not theirs to say.
  return { ...report, notes: report.notes.filter((note) => !like('api.doctor.certificateNames').test(note)) };
}

/** That others have access, or had it until the folder was opened. */
const EXPOSED = (path: string) =>
  new RegExp(
    [like('api.doctor.exposedRepair', { path }), like('api.doctor.exposedBefore', { path })]
      .map(({ source }) => source)
      .join('|'),
  );
const HEALTHY = { ok: true, problems: [], notes: [expect.stringMatching(like('api.doctor.space'))] };

/** The same without a server and with one: what is checked does not depend on who looks. */
describe.each(sampled([['without a server'], ['with its own server']], 1))('larder doctor %s', (which) => {
  beforeEach(async () => {
    if (which === 'with its own server') await installation.serve();
  });

  it('reports a healthy installation as healthy', async () => {
    expect(await doctor()).toEqual(HEALTHY);
    expect(await doctor('--repair')).toEqual({ ...HEALTHY, repaired: [] });
  });

  itInFull('finds a key that other users can read, and restricts it with --repair', async () => {
    await chmod(area('tls', 'ca.key'), 0o644);
    const { ok, repaired } = await doctor('--repair');
    expect([ok, repaired]).toEqual([true, [expect.stringContaining(area('tls', 'ca.key'))]]);
    expect((await stat(area('tls', 'ca.key'))).mode & 0o777).toBe(0o600);
    await chmod(area('tls', 'ca.key'), 0o644);
    expect((await doctor()).problems).toEqual([expect.stringMatching(EXPOSED(area('tls', 'ca.key')))]);
  });

  it('finds a home without its marker', async () => {
    await rm(join(installation.folder, 'homes', 'ann', '.larder-home'));
    expect((await doctor('--repair')).problems).toEqual([expect.stringMatching(like('api.doctor.homeWithoutMarker'))]);
  });

  itInFull('moves content without a record to a folder for recovered files with --repair', async () => {
    await writeFile(area('versions', 'stray'), 'last copy');
    expect((await doctor()).notes).toContainEqual(expect.stringMatching(like('api.doctor.straysMovable')));
    expect((await doctor('--repair')).repaired).toEqual([expect.stringContaining('Recovered/older version stray')]);
    expect(await readdir(join(installation.folder, 'homes', 'ann', 'Recovered'))).toEqual(['older version stray']);
    expect(await doctor()).toEqual(HEALTHY);
  });
});

describe('larder doctor for people', () => {
  it('prints repairs first, then problems and notes, one per line', async () => {
    await rm(join(installation.folder, 'homes', 'ann', '.larder-home'));
    await writeFile(area('control.json'), '{}', { mode: 0o600 });
    const { code, stdout, stderr } = await installation.larder(['doctor', '--repair']);
    expect([code, stderr]).toEqual([1, '']);
    const lines = stdout.trim().split('\n');
    expect(lines.filter((line) => !like('api.doctor.certificateNames').test(line))).toEqual([
      expect.stringMatching(/^repaired .*control\.json/),
      expect.stringMatching(new RegExp(`^problem {2}${like('api.doctor.homeWithoutMarker').source}`)),
      expect.stringMatching(/^note {5}.*free/),
      t('cli.doctor.found', { count: 1 }),
    ]);
  });

  itInFull('is the only command that repairs anything', async () => {
    const { code, stdout, stderr } = await installation.larder(['status', '--repair']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('--repair');
  });
});

describe('a damaged folder', () => {
  async function untouched(report: Promise<Awaited<ReturnType<typeof doctor>>>) {
    const before = await treeOf(installation.folder);
    const { ok, problems, notes } = await report;
    expect([ok, notes]).toEqual([false, []]);
    expect(problems).toHaveLength(1);
    expect(await treeOf(installation.folder)).toEqual(before);
    return problems[0] ?? '';
  }

  itInFull.each(
    sampled(
      [
        ['that is not there', 'missing'],
        ['that is a file', 'file'],
        ['below a file', 'file/inner'],
        ['without a Larder', 'empty'],
      ],
      2,
    ),
  )('%s is reported, and nothing is created', async (_name, name) => {
    await writeFile(join(installation.folder, 'file'), '');
    await mkdir(join(installation.folder, 'empty'));
    const folder = join(installation.folder, name);
    const before = await treeOf(installation.folder);
    const { code, stdout, stderr } = await run(['doctor', '--json', '--repair', '--folder', folder]);
    expect([code, stderr]).toEqual([1, '']);
    expect(JSON.parse(stdout)).toEqual({
      ok: false,
      problems: [expect.stringContaining(folder)],
      notes: [],
      repaired: [],
    });
    expect(stdout).toContain('--folder');
    expect(await treeOf(installation.folder)).toEqual(before);
  });

  itInFull('without its database gets no empty one', async () => {
    await rename(area('larder.sqlite'), join(installation.folder, 'away'));
    const text = await untouched(doctor('--repair'));
    expect(text).toContain(t('api.storage.databaseMissing', { file: area('larder.sqlite') }));
    await rename(join(installation.folder, 'away'), area('larder.sqlite'));
    expect(await doctor()).toEqual(HEALTHY);
  });

  it('without its authority gets no new one', async () => {
    await rename(area('tls'), join(installation.folder, 'away'));
    expect(await untouched(doctor('--repair'))).toContain(
      t('api.doctor.authorityMissing', { file: area('tls', 'ca.crt'), folder: area('tls') }),
    );
  });
});

describe('a folder that cannot be opened', () => {
  it('is reported with its lock, and how to find the program that holds it', async () => {
    const layout = layoutOf(installation.folder);
    const unlock = await lockFolder(layout.lock);
    try {
      const error = await lockFolder(layout.lock).catch((failure: unknown) => failure);
      expect(await whyNotOpened(layout, error)).toEqual([expect.stringContaining(`fuser -v "${layout.lock}"`)]);
    } finally {
      await unlock();
    }
  });

  // Waits as long as a command waits for another one.
  itInFull('that another program holds is reported with the path and what to do', async () => {
    const unlock = await lockFolder(area('lock.sqlite'));
    try {
      const { problems } = await doctor();
      expect(problems).toHaveLength(1);
      expect(problems[0]).toContain(area('control.json'));
      expect(problems[0]).toContain(`fuser -v "${area('lock.sqlite')}"`);
    } finally {
      await unlock();
    }
    expect(await doctor()).toEqual(HEALTHY);
  });

  itInFull('has a file that is not a database', async () => {
    await writeFile(area('larder.sqlite'), 'this is no database'.repeat(1000));
    const { problems } = await doctor('--repair');
    expect(problems).toEqual([
      expect.stringMatching(like('api.doctor.databaseDamaged', { file: area('larder.sqlite') })),
    ]);
    expect(problems[0]).toMatch(like('api.backup.putBackAny'));
  });

  it('has a database with a damaged page', async () => {
    const { size } = await stat(area('larder.sqlite'));
    const file = await open(area('larder.sqlite'), 'r+');
    for (let page = 8; page * 4096 < size; page += 1) await file.write(Buffer.alloc(2048, 0xa5), 0, 2048, page * 4096);
    await file.close();
    const { problems } = await doctor('--repair');
    expect(problems.join()).toMatch(like('api.doctor.databaseDamaged', { file: area('larder.sqlite') }));
  });

  itInFull('was created by a newer version', async () => {
    const connection = await Connection.open(area('larder.sqlite'));
    await connection.run("INSERT INTO migrations (name) VALUES ('9999-of-tomorrow')");
    await connection.close();
    const { problems } = await doctor();
    expect(problems).toEqual([expect.stringMatching(like('api.storage.newerVersion', { name: '9999-of-tomorrow' }))]);
  });

  itInFull('has an authority that cannot be used', async () => {
    await writeFile(area('tls', 'ca.key'), 'damaged', { mode: 0o600 });
    expect((await doctor()).problems).toEqual([expect.stringContaining(`${area('tls', 'ca.key')} is damaged`)]);
  });
});

describeInFull('what a start repairs by itself', () => {
  it('is reported: missing folders', async () => {
    await rm(area('logs'), { recursive: true });
    const { ok, notes } = await doctor();
    expect(ok).toBe(true);
    expect(notes.join()).toContain(t('api.doctor.folderRecreated', { folder: area('logs') }));
    expect(await exists(area('logs'))).toBe(true);
    expect(await doctor()).toEqual(HEALTHY);
    await rm(area('trash'), { recursive: true });
    expect((await doctor('--repair')).repaired).toEqual([expect.stringContaining(area('trash'))]);
  });
});

describeInFull('a server that was killed', () => {
  it('leaves its control.json, which --repair removes', async () => {
    const server = await installation.serve();
    await server.stop('SIGKILL');
    const { ok, notes } = await doctor();
    expect(ok).toBe(true);
    expect(notes.join()).toContain(t('api.doctor.controlFileLeft', { file: area('control.json') }));
    expect(await exists(area('control.json'))).toBe(true);
    expect((await doctor('--repair')).repaired).toEqual([expect.stringContaining(area('control.json'))]);
    expect(await exists(area('control.json'))).toBe(false);
    expect(await doctor()).toEqual(HEALTHY);
  });
});

describeInFull('ports, while no server is running', () => {
  async function withTaken<T>(use: (port: number) => Promise<T>): Promise<T> {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    try {
      return await use((taken.address() as AddressInfo).port);
    } finally {
      await new Promise((resolve) => taken.close(resolve));
    }
  }

  async function doctorWith(ports: Record<string, number>, host = '127.0.0.1') {
    const all = { port: 0, 'http-port': 0, 'control-port': 0, ...ports };
    const flags = Object.entries(all).flatMap(([name, port]) => [`--${name}`, String(port)]);
    const args = ['doctor', '--json', '--folder', installation.folder, '--host', host, ...flags];
    return JSON.parse((await run(args)).stdout);
  }

  it('are those the server would use, and ones in use are reported with their flag', async () => {
    await withTaken(async (port) => {
      const { ok, problems } = await doctorWith({ port });
      expect([ok, problems]).toEqual([
        false,
        [expect.stringContaining(t('api.doctor.portInUse', { kind: 'https', port }))],
      ]);
      expect(problems[0]).toContain('--port');
      if (!isFullForm) return;
      expect((await doctorWith({ port }, '::')).ok).toBe(false);
      expect((await doctorWith({ 'http-port': port })).ok).toBe(true);
      const control = await doctorWith({ 'control-port': port });
      expect([control.ok, control.notes.join()]).toEqual([
        true,
        expect.stringContaining(t('api.doctor.portInUse', { kind: 'control', port })),
      ]);
      await installation.control('settings.update', { httpTesting: true });
      const http = await doctorWith({ 'http-port': port });
      expect(http.problems).toEqual([expect.stringContaining(t('api.doctor.portInUse', { kind: 'http', port }))]);
      expect(http.problems[0]).toContain('--http-port');
    });
    expect((await doctorWith({})).ok).toBe(true);
  });

  itInFull('are on an address of this computer', async () => {
    const port = await withTaken(async (free) => free);
    const { problems } = await doctorWith({ port }, '203.0.113.77');
    expect(problems).toEqual([expect.stringMatching(like('api.doctor.portAddress', { host: '203.0.113.77' }))]);
    expect(problems[0]).toContain('--host');
    expect((await doctorWith({ port })).ok).toBe(true);
  });
});
