import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lanAddresses } from '../../dist/server/tls/lan-addresses.js';
import { buildZip } from '../support/content/build-zip.ts';
import { type Household, openHousehold } from '../support/households/household.ts';
import { startServer } from '../support/households/server-process.ts';
import { ApiClient, type Reply } from '../support/requests/api-client.ts';
import { sendChunk } from '../support/requests/chunks.ts';
import {
  canTrace,
  type Order,
  parseTrace,
  type SystemCall,
  tracing,
  violations,
  type Wanted,
} from '../support/system/system-calls.ts';

const NAMING = /^(?:link|linkat|rename|renameat|renameat2)$/;
const FLUSH = /^(?:fsync|fdatasync)$/;

const flush = (what: string, path: string): Wanted => ({
  what: `flush of ${what}`,
  name: FLUSH,
  args: new RegExp(`^\\d+<[^>]*${path}>`),
});
const naming = (from: string, to: string): Wanted => ({
  what: `name ${to} for ${from}`,
  name: NAMING,
  args: new RegExp(`"[^"]*${from}".*"[^"]*${to}"`),
});

const ID = '[0-9a-f-]{36}';
const content = flush('the content', `/incoming/${ID}`);
const database = flush('the database', '/larder\\.sqlite-wal');
const home = flush('the home', '/homes/ann');
const folder = flush('the folder', '/homes/ann/folder');
const versions = flush('the versions', '/\\.larder/versions');
const trash = flush('the trash', '/\\.larder/trash');

const newName = (name: string, from = `/incoming/${ID}`) => naming(from, `/${name}`);
const keepOld = (name: string) => naming(`/${name}`, `/versions/${ID}`);

/** A new name: its folder and its row are flushed at the same time, both before the answer. */
const appears = (name: string, into = home): Order => ({
  steps: [[content], [newName(name)], [into, database]],
  change: newName(name),
});
const replaces = (name: string, into = home): Order => ({
  steps: [[content], [database], [keepOld(name)], [versions], [newName(name)], [into], [database]],
  change: keepOld(name),
});
const moves = (from: string, to: string, folders: Wanted[]): Order => ({
  steps: [[database], [naming(`/${from}`, `/${to}`)], folders, [database]],
  change: naming(`/${from}`, `/${to}`),
});

const at = (name: string) => `/ROOT/HOME/${name}`;
const PIECES = Buffer.alloc(200_000, 'piece');
let trashPath = '';

interface Traced {
  readonly name: string;
  run(api: ApiClient): Promise<Reply>;
  readonly order: Order;
}

const piece: Wanted = { what: 'write of the piece', name: /^pwrite/, args: new RegExp(`^\\d+<[^>]*/incoming/${ID}>`) };
const made: Wanted = { what: 'new folder', name: /^mkdir/, args: /\/made"/ };
const inTrash = '/trash/[0-9A-Za-z]{16}';

/** In this order: each stands on those before it. */
const traced: readonly Traced[] = [
  { name: 'upload of a new file', run: (api) => api.put({ path: at('a.txt') }, 'one'), order: appears('a\\.txt') },
  { name: 'overwrite', run: (api) => api.put({ path: at('a.txt') }, 'two'), order: replaces('a\\.txt') },
  {
    name: 'first piece',
    run: (api) => sendChunk(api, at('pieces.bin'), PIECES, 0, 100_000),
    // Its name as well: the row says that it is there.
    order: {
      steps: [[flush('the folder of the upload', '/\\.larder/incoming')], [piece], [content], [database]],
      change: piece,
    },
  },
  {
    name: 'last piece',
    run: (api) => sendChunk(api, at('pieces.bin'), PIECES, 100_000),
    order: {
      steps: [[piece], [content], [database], [newName('pieces\\.bin')], [home, database]],
      change: newName('pieces\\.bin'),
    },
  },
  {
    name: 'createfolder',
    run: (api) => api.post('files/createfolder', { path: at(''), name: 'made' }),
    order: { steps: [[made], [home, database]], change: made },
  },
  {
    name: 'rename',
    run: (api) => api.post('files/rename', { path: at('a.txt'), newName: 'b.txt' }),
    order: moves('a\\.txt', 'b\\.txt', [home]),
  },
  {
    name: 'move',
    run: (api) => api.post('files/move', { path: at('b.txt'), moveTo: at('folder') }),
    order: moves('b\\.txt', 'b\\.txt', [home, folder]),
  },
  {
    name: 'copy of a file',
    run: (api) => api.post('files/copy', { path: at('folder/b.txt'), copyTo: at('') }),
    order: appears('b\\.txt'),
  },
  {
    name: 'copy over a file',
    run: (api) => api.post('files/copy', { path: at('b.txt'), copyTo: at('folder'), overwrite: 1 }),
    order: replaces('b\\.txt', folder),
  },
  {
    name: 'move over a file',
    run: (api) => api.post('files/move', { path: at('b.txt'), moveTo: at('folder'), overwrite: 1 }),
    order: {
      steps: [
        [database],
        [keepOld('b\\.txt')],
        [versions],
        [naming('/b\\.txt', '/b\\.txt')],
        [home, folder],
        [database],
      ],
      change: keepOld('b\\.txt'),
    },
  },
  {
    name: 'restore of a version',
    run: (api) => api.post('files/versions/restore', { path: at('folder/b.txt'), version: 1 }),
    order: replaces('b\\.txt', folder),
  },
  {
    name: 'copy of a folder',
    run: (api) => api.post('files/copy', { path: at('folder'), copyTo: at('made') }),
    order: {
      steps: [
        [flush('a file of the copy', `/incoming/${ID}/b\\.txt`)],
        [flush('the names of the copy', `/incoming/${ID}`)],
        [{ ...newName('folder'), name: /^rename/ }],
        [flush('the folder it went to', '/homes/ann/made'), database],
      ],
      change: { ...newName('folder'), name: /^rename/ },
    },
  },
  {
    name: 'extract',
    run: async (api) => {
      await api.put({ path: at('x.zip') }, buildZip([{ name: 'in/one.txt', content: 'one' }, { name: 'two.txt' }]));
      return api.post('files/extract', { path: at('x.zip'), extractTo: at('made') });
    },
    order: {
      steps: [
        [flush('a file', `/incoming/${ID}/${ID}/in/one\\.txt`)],
        [flush('its folder', `/incoming/${ID}/${ID}/in`), flush('the names at the top', `/incoming/${ID}/${ID}`)],
        [{ ...newName('x', `/incoming/${ID}/${ID}`), name: /^rename/ }],
        [flush('the folder it went to', '/homes/ann/made'), database],
      ],
      change: { ...newName('x', `/incoming/${ID}/${ID}`), name: /^rename/ },
    },
  },
  {
    name: 'zip',
    run: (api) => api.post('files/zip', { 'paths[]': at('made/x'), target: at(''), archiveName: 'z.zip' }),
    order: appears('z\\.zip'),
  },
  {
    name: 'delete',
    run: async (api) => {
      const reply = await api.post('files/delete', { path: at('folder') });
      trashPath = reply.body.data.trash_path;
      return reply;
    },
    order: moves('folder', inTrash.slice(1), [home, trash]),
  },
  {
    name: 'restore from the trash',
    run: (api) => api.post('files/trash/restore', { path: trashPath }),
    order: {
      steps: [[database], [{ ...naming(inTrash, '/folder'), name: /^rename/ }], [home], [trash], [database]],
      change: { ...naming(inTrash, '/folder'), name: /^rename/ },
    },
  },
  {
    name: 'delete for good',
    run: (api) => api.post('files/delete', { path: at('folder'), permanent: 1 }),
    order: moves('folder', inTrash.slice(1), [home, trash]),
  },
];

/**
 * Only where there is strace: it alone sees that a call has returned, and on which file, before the first byte of the answer.
 * Points inside of our own code would say where we have been, and not what the system was asked. Elsewhere the same code
 * runs, and that the check can fail is shown everywhere.
 */
describe.runIf(canTrace())('flushes before the reply', () => {
  let household: Household;
  let scratch: string;
  const sections = new Map<string, SystemCall[]>();

  beforeAll(async () => {
    household = await openHousehold({ addresses: lanAddresses });
    scratch = await mkdtemp(join(tmpdir(), 'larder-trace-'));
    const file = join(scratch, 'trace');
    const token = (await household.signIn()).token_ ?? '';
    await mkdir(join(household.home, 'folder'));
    await household.whileStopped(async () => {
      const { child, port } = await startServer(household.folder, { under: tracing(file) });
      const ended = once(child, 'exit');
      try {
        const api = new ApiClient({ port, ca: household.ca, token });
        // A look at a name that is nowhere else shows in the trace where one operation ends and the next one begins.
        const mark = (name: string) => api.get('files/versions/list', { path: at(`mark ${name}`) });
        for (const { name, run } of traced) {
          await mark(name);
          const reply = await run(api);
          expect(reply.status, `${name}: ${reply.text}`).toBeLessThan(300);
        }
        await mark('end');
      } finally {
        // The server, whose end is the end of the trace; the tracer would only let go of it.
        const control = await readFile(join(household.folder, '.larder', 'control.json'), 'utf8');
        process.kill((JSON.parse(control) as { pid: number }).pid, 'SIGTERM');
        await ended;
      }
    });
    const calls = parseTrace(await readFile(file, 'utf8'));
    const marks = [...traced.map(({ name }) => name), 'end'].map((name) => {
      const found = calls.find(({ args }) => args.includes(`/mark ${name}"`));
      if (found === undefined) throw new Error(`the trace has no mark of ${name}`);
      return found.begun;
    });
    for (const [index, { name }] of traced.entries()) {
      const [from = 0, to = 0] = marks.slice(index);
      sections.set(
        name,
        calls.filter(({ begun }) => begun > from && begun < to),
      );
    }
  });
  afterAll(async () => {
    await household?.close();
    await rm(scratch, { recursive: true, force: true });
  });

  it.each(traced.map(({ name, order }) => [name, order] as const))('are complete: %s', (name, order) => {
    expect(violations(sections.get(name) ?? [], order)).toEqual([]);
  });

  it('are reported if missing, for each flush of each operation', () => {
    for (const { name, order } of traced) {
      const calls = sections.get(name) ?? [];
      const wanted = order.steps.flat().filter(({ what }) => what.startsWith('flush'));
      expect(wanted.length).toBeGreaterThan(0);
      for (const one of wanted) {
        const without = calls.filter((call) => !(one.name.test(call.name) && one.args.test(call.args)));
        expect(violations(without, order).join(), `${name} without ${one.what}`).toContain(one.what);
      }
    }
  });
});

describe('the check of system calls', () => {
  const id = '01234567-89ab-cdef-0123-456789abcdef';
  const good = [
    `10  write(20<TCP:[127.0.0.1:8443->127.0.0.1:5]>, "handshake"..., 9) = 9`,
    `11  fsync(21</x/.larder/incoming/${id}> <unfinished ...>`,
    '12  fdatasync(5</x/.larder/other>) = 0',
    '11  <... fsync resumed>)             = 0',
    `12  link("/x/.larder/incoming/${id}", "/proc/self/fd/22/a.txt") = 0`,
    '13  fsync(22</x/homes/ann> <unfinished ...>',
    '14  fdatasync(6</x/.larder/larder.sqlite-wal>) = 0',
    '13  <... fsync resumed>) = 0',
    `10  write(20<TCP:[127.0.0.1:8443->127.0.0.1:5]>, "reply"..., 5) = 5`,
  ];
  const order = appears('a\\.txt');
  const check = (lines: readonly string[]) => violations(parseTrace(lines.join('\n')), order);
  const moved = (from: number, to: number) => {
    const lines = [...good];
    lines.splice(to, 0, ...lines.splice(from, 1));
    return lines;
  };

  it('joins calls that are split over two lines', () => {
    const fsync = parseTrace(good.join('\n')).find(({ args }) => args.includes('/incoming/'));
    expect(fsync).toMatchObject({ name: 'fsync', succeeded: true, begun: 1, returned: 3 });
  });

  it('accepts the correct order', () => {
    expect(check(good)).toEqual([]);
  });

  it.each([
    ['a flush that is missing', good.toSpliced(6, 1), 'there is no flush of the database where it belongs'],
    [
      'a flush that fails',
      good.with(7, '13  <... fsync resumed>) = -1 EIO (Input/output error)'),
      'there is no flush of the home where it belongs',
    ],
    ['a flush that has not returned', moved(7, 8), 'the answer does not wait for: flush of the home'],
    ['a flush that comes after the answer', moved(6, 8), 'the answer does not wait for: flush of the database'],
    [
      'a flush of another file',
      good.with(6, '14  fdatasync(6</x/.larder/larder.sqlite>) = 0'),
      'there is no flush of the database where it belongs',
    ],
    ['a content that is flushed after it has its name', moved(3, 4), 'there is no name /a\\.txt for'],
    ['a name that nobody gave', good.toSpliced(4, 1), 'there is no name'],
    ['no answer', good.slice(0, -1), 'there is no answer'],
  ])('finds %s', (_what, lines, violation) => {
    expect(check(lines).join()).toContain(violation);
  });
});
