import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillHome } from '../pages/files/support.ts';
import { WebVisitor } from '../support/browser/web-visitor.ts';
import { homeOf, MEMBER } from '../support/households/member.ts';
import { listed, openSharingHousehold, type SharingHousehold } from '../support/requests/sharing.ts';
import { eventually } from '../support/system/eventually.ts';

// What the search of the pages reveals of a share, by its rights: hits, counts, or that there is anything at all.

/** Words that stand only in Olga's folder: in a name, a content, a tag and a comment. */
const WORDS = { name: 'quartzite', contents: 'marmalade', tag: 'gooseberr', comment: 'hawthorns' } as const;
type Word = keyof typeof WORDS;
/** A word of the same length that stands nowhere. */
const NEVER = 'zzyzxqvwj';
const ALL = Object.keys(WORDS) as Word[];

/** What limits a search, so that some replies have counts of what is elsewhere. */
const LIMITS = ['', '&kind=documents', '&kind=music', '&time=lastYear', '&group=contents', '&in=/ROOT/HOME'];

interface Row {
  /** The name of a folder of its own. */
  readonly folder: string;
  /** Null for a folder that is not shared. */
  readonly rights: Readonly<Record<string, number>> | null;
  readonly isEnded?: boolean;
  readonly finds: readonly Word[];
}

const NOTHING = { upload: 0, download: 0, comment: 0, read_comments: 0, alter: 0, share: 0 };
const ROWS: readonly (Row & { readonly who: string })[] = [
  { who: 'a recipient with all rights', folder: 'all', rights: {}, finds: ALL },
  {
    who: 'a recipient without downloads',
    folder: 'closed',
    rights: { download: 0 },
    finds: ['name', 'tag', 'comment'],
  },
  {
    who: 'a recipient without comments',
    folder: 'silent',
    rights: { read_comments: 0, comment: 0 },
    finds: ['name', 'contents', 'tag'],
  },
  {
    who: 'a recipient who may only upload',
    folder: 'dropped',
    rights: { ...NOTHING, upload: 1 },
    finds: ['name', 'tag'],
  },
  { who: 'a recipient without any right', folder: 'bare', rights: NOTHING, finds: ['name', 'tag'] },
  { who: 'a recipient of a share that has ended', folder: 'ended', rights: {}, isEnded: true, finds: [] },
  { who: 'a person with whom nothing is shared', folder: 'own', rights: null, finds: [] },
];

let household: SharingHousehold;
let ben: WebVisitor;

/** The words of a folder, which no other folder has. */
const wordIn = (word: Word | null, folder: string) => `${word === null ? NEVER : WORDS[word]}${folder.padEnd(8, 'x')}`;

beforeAll(async () => {
  household = await openSharingHousehold();
  const olga = household.as('olga');
  for (const { folder } of ROWS) {
    await fillHome(homeOf(household, 'olga'), {
      [`${folder}/${wordIn('name', folder)}.txt`]: 'text',
      [`${folder}/contents.txt`]: `about ${wordIn('contents', folder)}`,
      [`${folder}/described.txt`]: 'text',
    });
  }
  for (const { folder, rights, isEnded = false } of ROWS) {
    const path = `/ROOT/HOME/${folder}`;
    const described = `${path}/described.txt`;
    expect((await olga.post('files/tags/add', { path: described, 'tags[]': wordIn('tag', folder) })).status).toBe(200);
    const comment = await olga.post('files/comments/add', { path: described, comment: wordIn('comment', folder) });
    expect(comment.status).toBe(200);
    if (rights === null) continue;
    const uid = Number(household.ids.ben);
    await household.share(path, { uid, ...rights });
    if (!isEnded) continue;
    expect((await olga.post('files/unshare', { path, uid })).status).toBe(200);
  }
  ben = await signedIn('ben');
  // Everything has been read, for the one who may read it.
  const owner = await signedIn('olga');
  for (const { folder } of ROWS)
    await eventually(
      () => owner.get(`/files/search?q=${wordIn('contents', folder)}`),
      ({ text }) => text.includes('data-group="contents"'),
    );
});
afterAll(async () => {
  await household?.close();
});

async function signedIn(person: string): Promise<WebVisitor> {
  const visitor = new WebVisitor(household);
  const page = await visitor.get('/files/');
  const fields = { form_token: page.field('form_token'), next: '/files/' };
  await visitor.post('/account/sign-in', { ...fields, username: person, password: MEMBER.password });
  return visitor;
}

/** A reply without what differs in each, and without the word itself. */
const withoutWord = (text: string, word: string) =>
  text.replaceAll(word, 'WORD').replaceAll(/(form_token" value|data-token)="[^"]*"/g, '$1');

const foundGroups = (text: string) => [...text.matchAll(/data-group="(\w+)"/g)].map(([, group]) => group);
const GROUP_OF: Readonly<Record<Word, string>> = {
  name: 'names',
  contents: 'contents',
  tag: 'details',
  comment: 'details',
};

describe.each(ROWS)('$who', ({ folder, finds }) => {
  it.each(ALL)('finds what has a word in its %s if the rights allow it, and learns nothing otherwise', async (word) => {
    const asked = wordIn(word, folder);
    const never = wordIn(null, folder);
    if (finds.includes(word)) {
      expect(foundGroups((await ben.get(`/files/search?q=${asked}`)).text)).toEqual([GROUP_OF[word]]);
      return;
    }
    for (const limit of [...LIMITS, `&who=${household.ids.olga}`]) {
      const [there, nowhere] = [
        await ben.get(`/files/search?q=${asked}${limit}`),
        await ben.get(`/files/search?q=${never}${limit}`),
      ];
      expect(there.status).toBe(nowhere.status);
      expect(withoutWord(there.text, asked), limit).toBe(withoutWord(nowhere.text, never));
    }
  });
});

it('a search that is limited to a share that has ended is answered as one of a share that never was', async () => {
  const shares = await household.as('ben').get('files/browse', { path: `/ROOT/${household.ids.olga}` });
  expect(shares.text).not.toContain('ended');
  for (const word of ALL) {
    const asked = wordIn(word, 'ended');
    const path = (number: number) => `/files/search?q=${asked}&in=/ROOT/${household.ids.olga}/${number}`;
    const ended = ROWS.findIndex(({ isEnded }) => isEnded === true) + 1;
    const [there, nowhere] = [await ben.get(path(ended)), await ben.get(path(999))];
    const withoutNumber = (text: string, number: number) => withoutWord(text, asked).replaceAll(`/${number}`, '/N');
    expect(withoutNumber(there.text, ended)).toBe(withoutNumber(nowhere.text, 999));
  }
});

it('the passage of a hit is refused to those who may not read the content', async () => {
  const paths = new Map(listed(await household.as('ben').get('files/browse', { path: `/ROOT/${household.ids.olga}` })));
  for (const { folder, rights, isEnded, finds } of ROWS) {
    if (rights === null || isEnded === true) continue;
    const query = new URLSearchParams({ path: `${paths.get(folder)}/contents.txt`, q: wordIn('contents', folder) });
    const { status, text } = await ben.get(`/files/search/passage?${query}`, { accept: 'application/json' });
    expect([status, text.includes(wordIn('contents', folder))], folder).toEqual(
      finds.includes('contents') ? [200, true] : [403, false],
    );
  }
});

it.each([
  ['a link that allows everything', { allow_downloads: 1, allow_uploads: 1, show_comments: 1, show_metadata: 1 }],
  ['a link that only takes files', { allow_downloads: 0, allow_uploads: 1 }],
])('a visitor of %s is asked to sign in, whatever is searched for', async (_link, form) => {
  const reply = await household.as('olga').post('files/weblink', { path: '/ROOT/HOME/own', ...form });
  const { pathname, search } = new URL(reply.body.data.url);
  const visitor = new WebVisitor(household);
  expect((await visitor.get(pathname + search)).status).toBe(200);
  for (const word of ALL)
    for (const address of ['/files/search?q=', '/files/search/passage?path=/ROOT/HOME/own/contents.txt&q=']) {
      const [asked, never] = [wordIn(word, 'own'), wordIn(null, 'own')];
      const [there, nowhere] = [await visitor.get(`${address}${asked}`), await visitor.get(`${address}${never}`)];
      expect(there.text).toContain('name="password"');
      expect(there.status).toBe(nowhere.status);
      expect(withoutWord(there.text, asked)).toBe(withoutWord(nowhere.text, never));
    }
});
