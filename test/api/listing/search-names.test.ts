import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFullForm, itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { addMembersWithHomes, homeOf, signInAs } from '../../support/households/member.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { eventually } from '../../support/system/eventually.ts';

let household: Household;
let api: ApiClient;

const HOME = '/ROOT/HOME';
/** By other means: before anybody looks. */
const BY_HAND = [
  'Holiday in Zürich.jpg',
  'holiday plan.txt',
  'HOLIDAY',
  'letters/Ärger mit der Größe.docx',
  'letters/a.b.c.txt',
  'letters/résumé.PDF',
  // As macOS writes it.
  `letters/${'Café crème'.normalize('NFD')}.md`,
  'letters/100% "quoted" -dash.txt',
  "letters/it's 50*50 [draft].txt",
  'letters/日本語の手紙.txt',
  'letters/Ωμέγας.txt',
  'letters/x',
  'letters/deep/er/holiday again.txt',
  'Łódź/ﬁsh & chips.txt',
  'emoji 👩‍👩‍👧 family.png',
];

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
  for (const path of BY_HAND) {
    const full = join(household.home, path);
    await mkdir(join(full, '..'), { recursive: true });
    if (path === 'HOLIDAY') await mkdir(full);
    else await writeFile(full, path);
  }
});
afterAll(() => household.close());

async function search(filename: string, path = HOME, more: Record<string, string | number> = {}, by = api) {
  const { body, status } = await by.post('files/search', { path, filename, ...more });
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.data as { meta: Record<string, unknown>; files: { filename: string; path: string; is_dir: boolean }[] };
}

const found = async (filename: string, path = HOME) =>
  (await search(filename, path)).files.map((file) => file.path.slice(11));

describe('files/search by filename', () => {
  it('finds files of other programs from before the start, within seconds and without a listing', async () => {
    const all = await eventually(
      () => found('*'),
      (paths) => paths.length >= BY_HAND.length + 4,
    );
    expect(all.sort()).toEqual([...BY_HAND, 'letters', 'letters/deep', 'letters/deep/er', 'Łódź'].sort());
  });

  it.each<[string, string[]]>([
    ['holiday', ['HOLIDAY', 'letters/deep/er/holiday again.txt', 'Holiday in Zürich.jpg', 'holiday plan.txt']],
    ['HOLIDAY zurich', ['Holiday in Zürich.jpg']],
    ['zürich holiday', ['Holiday in Zürich.jpg']],
    ['oliday pla', ['holiday plan.txt']],
    ['grosse', ['letters/Ärger mit der Größe.docx']],
    ['GRÖSSE', ['letters/Ärger mit der Größe.docx']],
    ['resume', ['letters/résumé.PDF']],
    ['cafe creme', [`letters/${'Café crème'.normalize('NFD')}.md`]],
    ['Café Crème', [`letters/${'Café crème'.normalize('NFD')}.md`]],
    ['lodz', ['Łódź']],
    ['fish', ['Łódź/ﬁsh & chips.txt']],
    ['手紙', ['letters/日本語の手紙.txt']],
    ['本', ['letters/日本語の手紙.txt']],
    ['ωμεγασ', ['letters/Ωμέγας.txt']],
    ['👧', ['emoji 👩‍👩‍👧 family.png']],
  ])('%j', async (text, expected) => {
    expect(await found(text)).toEqual(expected);
  });

  it('finds words of one and two letters anywhere in a name', async () => {
    expect((await found('x')).sort()).toEqual(
      BY_HAND.filter((path) => (path.split('/').at(-1) ?? '').toLowerCase().includes('x')).sort(),
    );
    expect(await found('ö')).toEqual(await found('o'));
    expect((await found('ay')).sort()).toEqual((await found('holiday')).concat().sort());
  });

  it.each<[string, string[]]>([
    ['*.jpg', ['Holiday in Zürich.jpg']],
    ['*.TXT', BY_HAND.filter((path) => path.endsWith('.txt'))],
    ['holiday ????.txt', ['holiday plan.txt']],
    ['h*n.txt', ['holiday plan.txt', 'letters/deep/er/holiday again.txt']],
    ['?', ['letters/x']],
    ['*größe*', ['letters/Ärger mit der Größe.docx']],
    ['holiday?', []],
    ['*[draft]*', ["letters/it's 50*50 [draft].txt"]],
    ['[a-z]*', []],
  ])('treats %j as a pattern for the whole name', async (text, expected) => {
    expect((await found(text)).sort()).toEqual([...expected].sort());
  });

  it.each<[string, string[]]>([
    ['"quoted"', ['letters/100% "quoted" -dash.txt']],
    ['100%', ['letters/100% "quoted" -dash.txt']],
    ['-dash', ['letters/100% "quoted" -dash.txt']],
    ["it's", ["letters/it's 50*50 [draft].txt"]],
    ['foo OR holiday', []],
    ['NEAR(holiday plan)', []],
    ['holiday AND', []],
    ['fold:holiday', []],
    ['"', ['letters/100% "quoted" -dash.txt']],
    ['""', []],
    ['_', []],
    ['(', []],
    ['^holiday', []],
  ])('treats %j as text', async (text, expected) => {
    expect(await found(text)).toEqual(expected);
  });

  it('searches below the requested folder only', async () => {
    expect(await found('holiday', `${HOME}/letters`)).toEqual(['letters/deep/er/holiday again.txt']);
    expect(await found('deep', `${HOME}/letters/deep`)).toEqual([]);
    const { meta } = await search('holiday', `${HOME}/letters`);
    expect(meta).toMatchObject({ path: `${HOME}/letters`, parentPath: HOME, folderName: 'letters', truncated: false });
  });

  it('returns the requested details of every hit', async () => {
    const details = ['uuid', 'mdate', 'cdate', 'type', 'icon', 'fileSize', 'nicerFileSize', 'version', 'ext'];
    const hit = (await api.post('files/search', { path: HOME, filename: 'holiday plan', 'details[]': details })).body
      .data.files[0];
    const listed = (await api.post('files/browse', { path: HOME, 'details[]': details })).body.data.files;
    expect(hit).toEqual(listed.find(({ filename }: { filename: string }) => filename === 'holiday plan.txt'));
  });

  it('returns no hits, and no error, for impossible names', async () => {
    expect(await found('a'.repeat(10_000))).toEqual([]);
    expect(await found('a '.repeat(5_000))).toEqual([]);
    expect(await found('*a'.repeat(300))).toEqual([]);
    expect(await found(`${'*a'.repeat(100)}\u0000`)).toEqual([]);
    expect(await found('   \t ')).toEqual([]);
  });

  itInFull('accepts any text, and returns only matches', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 40 }), async (text) => {
        if (text.trim() === '' || /[*?]/.test(text)) return;
        for (const path of await found(text)) {
          const fold = (value: string) => value.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '');
          const [word = ''] = fold(text).trim().split(/\s+/);
          // What folds in ways of its own is named above.
          if (/^[\x20-\x7e]+$/.test(word + path)) expect(fold(path)).toContain(word);
        }
      }),
      { numRuns: isFullForm ? 150 : 40 },
    );
  });

  it('requires search terms, and a folder', async () => {
    const refusal = async (form: Record<string, string>) => {
      const { status, body } = await api.post('files/search', form);
      return [status, body.code];
    };
    expect(await refusal({ path: HOME })).toEqual([400, 'missing_parameter']);
    expect(await refusal({ path: HOME, filename: '', contents: '' })).toEqual([400, 'missing_parameter']);
    expect(await refusal({ filename: 'a' })).toEqual([400, 'missing_parameter']);
    expect(await refusal({ path: HOME, filename: 'a', contents: 'b' })).toEqual([400, 'invalid_parameter']);
    expect(await refusal({ path: `${HOME}/holiday plan.txt`, filename: 'a' })).toEqual([404, 'not_found']);
    expect(await refusal({ path: `${HOME}/nowhere`, filename: 'a' })).toEqual([404, 'not_found']);
    expect(await refusal({ path: '/STARRED', filename: 'a' })).toEqual([400, 'invalid_path']);
    expect(await refusal({ path: `${HOME}/../..`, filename: 'a' })).toEqual([400, 'invalid_path']);
    expect(await refusal({ path: HOME, filename: 'a', limit: '-1' })).toEqual([400, 'invalid_parameter']);
    expect((await api.get('files/search', { path: HOME, filename: 'a' })).status).toBe(405);
  });
});

describe('changes through the API', () => {
  it('are found at once: created, renamed, moved, deleted, restored', async () => {
    const folder = `${HOME}/at once`;
    await api.post('files/createfolder', { path: HOME, name: 'at once' });
    expect(await found('at once')).toEqual(['at once']);
    for (let index = 0; index < 30; index += 1) {
      await api.put({ path: `${folder}/kiwi ${index}.txt` }, 'x');
      expect(await found(`kiwi ${index}.`)).toEqual([`at once/kiwi ${index}.txt`]);
    }
    await api.post('files/rename', { path: `${folder}/kiwi 0.txt`, newName: 'Papaya.txt' });
    expect([await found('papaya'), await found('kiwi 0.*')]).toEqual([['at once/Papaya.txt'], []]);
    await api.post('files/rename', { path: folder, newName: 'later' });
    expect(await found('papaya')).toEqual(['later/Papaya.txt']);
    await api.post('files/move', { path: `${HOME}/later`, moveTo: `${HOME}/letters` });
    expect(await found('papaya')).toEqual(['letters/later/Papaya.txt']);
    await api.post('files/copy', { path: `${HOME}/letters/later`, copyTo: HOME });
    expect((await found('papaya')).sort()).toEqual(['later/Papaya.txt', 'letters/later/Papaya.txt']);
    const { body } = await api.post('files/delete', { path: `${HOME}/letters/later` });
    expect(await found('papaya')).toEqual(['later/Papaya.txt']);
    await api.post('files/trash/restore', { path: body.data.trash_path });
    expect((await found('papaya')).sort()).toEqual(['later/Papaya.txt', 'letters/later/Papaya.txt']);
    for (const path of ['later', 'letters/later'])
      await api.post('files/delete', { path: `${HOME}/${path}`, permanent: 1 });
    expect([await found('papaya'), await found('kiwi')]).toEqual([[], []]);
  });

  itInFull('limit the hits to 1,000 or the requested number, and report that there are more', async () => {
    const many = join(household.home, 'many');
    await mkdir(many);
    for (let index = 0; index < 1_050; index += 1) await writeFile(join(many, `mandarin ${index}`), '');
    await eventually(
      () => search('mandarin', HOME, { limit: 2_000 }),
      ({ files }) => files.length === 1_050,
    );
    const cut = await search('mandarin');
    expect([cut.files.length, cut.meta.truncated]).toEqual([1_000, true]);
    const all = await search('mandarin', HOME, { limit: 1_050 });
    expect([all.files.length, all.meta.truncated]).toEqual([1_050, false]);
    expect(all.files.slice(0, 12).map(({ filename }) => filename)).toEqual(
      Array.from({ length: 12 }, (_, index) => `mandarin ${index}`),
    );
    const few = await search('an', HOME, { limit: 3 });
    expect([few.files.length, few.meta.truncated]).toEqual([3, true]);
  });
});

describe('changes by other programs', () => {
  it('are found within seconds, and deleted items are not', async () => {
    await writeFile(join(household.home, 'Quince.txt'), 'a');
    expect(
      await eventually(
        () => found('quince'),
        (paths) => paths.length === 1,
      ),
    ).toEqual(['Quince.txt']);
    await rename(join(household.home, 'Quince.txt'), join(household.home, 'letters', 'Quince jam.txt'));
    expect(
      await eventually(
        () => found('quince'),
        // Between the comparisons of the two folders, it is in neither.
        ([path]) => path !== undefined && path !== 'Quince.txt',
      ),
    ).toEqual(['letters/Quince jam.txt']);
    await mkdir(join(household.home, 'new', 'and', 'deep'), { recursive: true });
    await writeFile(join(household.home, 'new', 'and', 'deep', 'Quince 2.txt'), 'b');
    expect(
      await eventually(
        () => found('quince 2'),
        (paths) => paths.length === 1,
      ),
    ).toEqual(['new/and/deep/Quince 2.txt']);
    await rm(join(household.home, 'new'), { recursive: true });
    expect(
      await eventually(
        () => found('quince 2'),
        (paths) => paths.length === 0,
      ),
    ).toEqual([]);
  });
});

describe('visibility of search results', () => {
  it('finds nothing of other people', async () => {
    await addMembersWithHomes(household, { bob: {} });
    await writeFile(join(homeOf(household, 'bob'), 'Holiday of Bob.txt'), '');
    const bob = await signInAs(household, 'bob');
    const names = () => search('*holiday*', HOME, {}, bob).then(({ files }) => files.map(({ filename }) => filename));
    expect(await eventually(names, (seen) => seen.length > 0)).toEqual(['Holiday of Bob.txt']);
    expect(await found('bob')).toEqual([]);
  });
});
