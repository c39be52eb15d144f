import { readFile } from 'node:fs/promises';
import { Random } from '../../model/random.ts';
import type { ApiClient, Reply } from '../../support/requests/api-client.ts';
import { openSharingHousehold, type SharingHousehold } from '../../support/requests/sharing.ts';
import { type DavClient, davClient } from '../../support/webdav/dav-client.ts';

// The same questions to the API and to WebDAV, about two equal trees: one decision, two protocols.

const PEOPLE = ['olga', 'ben', 'gil', 'sam'] as const;
type Person = (typeof PEOPLE)[number];

/** What came of a request, in the words of neither protocol. */
export type Outcome = 'done' | 'denied' | 'absent' | 'taken' | 'locked' | 'too much' | 'unknown';

const BY_CODE: Readonly<Record<string, Outcome>> = {
  permission_denied: 'denied',
  insufficient_scope: 'denied',
  invalid_path: 'denied',
  invalid_name: 'denied',
  not_found: 'absent',
  already_exists: 'taken',
  locked: 'locked',
  quota_exceeded: 'too much',
  type_not_allowed: 'too much',
};

/** Codes that only WebDAV has: a missing folder is a conflict, and an existing destination a failed precondition. */
const OF_DAV: Readonly<Record<string, Outcome>> = {
  conflict: 'absent',
  precondition_failed: 'taken',
  method_not_allowed: 'taken',
};

function outcomeOf(reply: Reply, isDav: boolean): Outcome {
  if (reply.status < 300) return 'done';
  const code = isDav ? (/<s:exception>(\w+)</.exec(reply.text)?.[1] ?? '') : String(reply.body.code);
  return (isDav ? OF_DAV[code] : undefined) ?? BY_CODE[code] ?? 'unknown';
}

/** One question: how it is asked by each protocol. */
interface Question {
  readonly text: string;
  api(client: ApiClient, path: (name: string) => string): Promise<Reply>;
  dav(client: DavClient, path: (name: string) => string): Promise<Reply>;
}

/** The property of an item in the trash that says where it was. */
const ORIGINAL_PLACE = 'trashbin-original-location';

const FOLDERS = ['', 'sub', 'sub/deep', 'locked', 'none'];
const NAMES = ['a.txt', 'b.txt', 'sub', 'new.txt', 'A.TXT', 'con', 'é.txt', 'x'.repeat(255), 'locked.txt'];

export class TwoProtocols {
  readonly household: SharingHousehold;
  readonly #dav: Readonly<Record<Person, DavClient>>;
  readonly #random: Random;
  /** The trees of the API and of WebDAV, by their names in the home of Olga. */
  readonly #trees = { api: 'by-api', dav: 'by-dav' };
  #shares: Readonly<Record<'api' | 'dav', Readonly<Record<string, string>>>> = { api: {}, dav: {} };

  private constructor(household: SharingHousehold, dav: Readonly<Record<Person, DavClient>>, seed: number) {
    this.household = household;
    this.#dav = dav;
    this.#random = new Random(seed);
  }

  static async open(seed: number): Promise<TwoProtocols> {
    const household = await openSharingHousehold();
    const entries = await Promise.all(
      PEOPLE.map(async (person) => [person, await davClient(household.as(person))] as const),
    );
    const two = new TwoProtocols(household, Object.fromEntries(entries) as Record<Person, DavClient>, seed);
    await two.#prepare();
    return two;
  }

  /** Two equal trees of Olga: Ben may change them, Gil may read them, Sam does not know of them. One file and one folder are locked. */
  async #prepare(): Promise<void> {
    const { household } = this;
    for (const tree of Object.values(this.#trees)) {
      await household.put(
        ...['a.txt', 'b.txt', 'sub/a.txt', 'sub/deep/c.txt', 'locked/d.txt', 'locked.txt'].map(
          (name) => `${tree}/${name}`,
        ),
      );
      await household.share(`/ROOT/HOME/${tree}`, { uid: household.ids.ben, upload: 1, alter: 1, download: 1 });
      await household.share(`/ROOT/HOME/${tree}`, { gid: household.family, upload: 0, alter: 0, download: 1 });
      await household.as('olga').post('files/lock', { path: `/ROOT/HOME/${tree}/locked.txt` });
      // Held by a program that is none of those that ask. Olga, whose home it is, may delete it by both protocols.
      const holder = await davClient(household.as('ben'));
      const folder = `/Shared%20with%20me/Mia/${tree}/locked`;
      await holder.lock(folder, { headers: { depth: 'infinity', timeout: 'Infinite' } });
    }
    for (const person of ['ben', 'gil'] as const) {
      const { files } = (await household.as(person).get('files/browse', { path: `/ROOT/${household.ids.olga}` })).body
        .data;
      const pathOf = (tree: string) => files.find(({ filename }: { filename: string }) => filename === tree).path;
      this.#shares = {
        api: { ...this.#shares.api, [person]: pathOf(this.#trees.api) },
        dav: { ...this.#shares.dav, [person]: this.#trees.dav },
      };
    }
  }

  /** Asks one question by both protocols. @returns null if both agree, otherwise what they answered */
  async ask(): Promise<string | null> {
    const person = this.#random.pick([...PEOPLE]);
    const question = this.#question();
    const [api, dav] = [
      await question.api(this.household.as(person), (name) => join(this.#apiBase(person), name)),
      await question.dav(this.#dav[person], (name) => encodeURI(join(this.#davBase(person), name))),
    ];
    const [ofApi, ofDav] = [outcomeOf(api, false), outcomeOf(dav, true)];
    if (ofApi === ofDav && ofApi !== 'unknown') return null;
    // Which of two reasons to refuse is found first differs: WebDAV has to say that the destination exists (RFC 4918 §9.8.4).
    if (ofApi === 'locked' && ofDav === 'taken') return null;
    return `${person} ${question.text}: API ${ofApi} (${api.text.slice(0, 200)}), WebDAV ${ofDav} (${dav.status} ${dav.text.slice(0, 300)})`;
  }

  #apiBase(person: Person): string {
    return this.#shares.api[person] ?? `/ROOT/HOME/${person === 'olga' ? this.#trees.api : 'nothing'}`;
  }

  #davBase(person: Person): string {
    const shared = this.#shares.dav[person];
    if (shared !== undefined) return `/Shared with me/Mia/${shared}`;
    return `/My files/${person === 'olga' ? this.#trees.dav : 'nothing'}`;
  }

  #question(): Question {
    const random = this.#random;
    const folder = random.pick(FOLDERS);
    // Where an item is already, WebDAV refuses to move it, and the API has nothing to do.
    const other = random.pick(FOLDERS.filter((one) => one !== folder));
    const name = random.pick(NAMES);
    const newName = random.pick(NAMES.filter((one) => one !== name));
    const item = join(folder, name);
    const content = `content ${random.below(1_000_000)}`;
    const withoutReplacing = { overwrite: 'F' };
    const questions: Question[] = [
      {
        text: `looks at ${item}`,
        api: (client, path) => client.get('files/info', { path: path(item) }),
        dav: (client, path) => client.propfind(path(item), '0'),
      },
      {
        text: `stores ${item}`,
        api: (client, path) => client.put({ path: path(item) }, content),
        dav: (client, path) => client.put(path(item), content),
      },
      {
        text: `creates the folder ${item}`,
        api: (client, path) => client.post('files/createfolder', { path: path(folder), name }),
        dav: (client, path) => client.send('MKCOL', path(item)),
      },
      {
        text: `deletes ${item}`,
        api: (client, path) => client.post('files/delete', { path: path(item) }),
        dav: (client, path) => client.send('DELETE', path(item)),
      },
      {
        text: `renames ${item} to ${newName}`,
        api: (client, path) => client.post('files/rename', { path: path(item), newName }),
        dav: (client, path) => client.transfer('MOVE', path(item), path(join(folder, newName)), withoutReplacing),
      },
      {
        text: `moves ${item} to ${other}`,
        api: (client, path) => client.post('files/move', { path: path(item), moveTo: path(other) }),
        dav: (client, path) => client.transfer('MOVE', path(item), path(join(other, name)), withoutReplacing),
      },
      {
        text: `copies ${item} to ${other}`,
        api: (client, path) => client.post('files/copy', { path: path(item), copyTo: path(other) }),
        dav: (client, path) => client.transfer('COPY', path(item), path(join(other, name)), withoutReplacing),
      },
    ];
    return random.pick(questions);
  }

  /** What is in both trees, for the end: the same questions have made the same trees, the same trash, and the same history. */
  async ends(): Promise<{ readonly api: End; readonly dav: End }> {
    return { api: await this.#endOf(this.#trees.api), dav: await this.#endOf(this.#trees.dav) };
  }

  async #endOf(tree: string): Promise<End> {
    const olga = this.household.as('olga');
    const path = `/ROOT/HOME/${tree}`;
    const { files } = (await olga.get('files/browse', { path, recursive: 1 })).body.data;
    const entries = (files as { path: string; is_dir: boolean }[]).map(async (file) => {
      const name = file.path.slice(path.length);
      return file.is_dir
        ? `${name}/`
        : `${name}: ${(await readFile(this.household.at(`${tree}${name}`), 'utf8')).replace(tree, 'tree')}`;
    });
    const asked = `<propfind xmlns="DAV:"><prop><${ORIGINAL_PLACE} xmlns="http://nextcloud.org/ns"/></prop></propfind>`;
    const top = `My files/${tree}`;
    const { text } = await this.#dav.olga.at('/remote.php/dav').propfind('/trashbin/olga/trash/', '1', asked);
    const places = [...text.matchAll(new RegExp(`:${ORIGINAL_PLACE}>([^<]+)<`, 'g'))].map(([, place = '']) => place);
    return {
      entries: (await Promise.all(entries)).sort(),
      deleted: places
        .filter((place) => place.startsWith(`${top}/`))
        .map((place) => place.slice(top.length))
        .sort(),
    };
  }
}

/** What is there after all questions. */
interface End {
  /** Names below the tree, files with their contents. */
  readonly entries: readonly string[];
  /** Where the items in the trash were. */
  readonly deleted: readonly string[];
}

function join(folder: string, name: string): string {
  return [folder, name].filter((part) => part !== '').join('/');
}
