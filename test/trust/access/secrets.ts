import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { WebVisitor } from '../../support/browser/web-visitor.ts';
import { treeOf } from '../../support/content/tree.ts';
import { ALL_SCOPES, OWNER } from '../../support/households/household.ts';
import { MEMBER } from '../../support/households/member.ts';
import { Installation } from '../../support/households/server-process.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';

/** What no answer may hold: what is written outside of the home, in another home, in the appliance's own area, on the machine. */
const SECRETS = ['not of the household', 'of Mia alone', 'PRIVATE KEY', 'SQLite format 3', 'root:x:0:0', 'PATH=/'];
/** What tells of the machine or of the program. */
const TELLS = /node:internal|\bat .*\.js:\d+|SQLITE_|ENOENT|EACCES|ENOTDIR|ELOOP|ENAMETOOLONG/;

/**
 * A server of its own with what attacks are after: files of two people, what they share, and a link that leads out of a home. It
 * says of an answer whether it tells too much, and at the end whether anything has changed where nobody may write.
 */
export class Ground {
  readonly installation: Installation;
  readonly api: ApiClient;
  /** The address of a page that shows the folder `Work` to everybody, from its first slash on. */
  link = '';
  readonly #outside: string;
  #before = '';

  private constructor(installation: Installation, api: ApiClient, outside: string) {
    this.installation = installation;
    this.api = api;
    this.#outside = outside;
  }

  /** @param under a command and its arguments that runs the server */
  static async open(under: readonly string[] = []): Promise<Ground> {
    const installation = await Installation.create();
    const api = await installation.start('', under);
    const outside = join(dirname(installation.folder), 'outside');
    const ground = new Ground(installation, api, outside);
    await mkdir(outside);
    await writeFile(join(outside, 'canary.txt'), 'not of the household');
    await ground.replenish();
    await ground.replenishPeople();
    await symlink(outside, join(installation.home, 'out'));
    await writeFile(join(installation.folder, 'homes', 'mia', 'hers.txt'), 'of Mia alone');
    const done = [
      await api.post('files/share', { path: '/ROOT/HOME/Photos', uid: 2 }),
      await api.post('files/weblink', { path: '/ROOT/HOME/Work' }),
      await api.post('files/comments/add', { path: '/ROOT/HOME/Work/file 1.txt', comment: 'Look' }),
    ];
    const failed = done.find(({ status }) => status >= 300);
    if (failed !== undefined) throw new Error(`not prepared: ${failed.text}`);
    const { pathname, search } = new URL(done[1]?.body.data.url);
    ground.link = pathname + search;
    ground.#before = await ground.#elsewhere();
    return ground;
  }

  /** What requests have deleted and switched off is there again: of nothing there is little to ask. */
  async replenish(): Promise<void> {
    const { installation } = this;
    for (const folder of ['Photos', 'Music', 'School/Old', 'Work']) {
      // Something else of this name may be there by now.
      await mkdir(join(installation.home, folder), { recursive: true }).catch(() => undefined);
      for (let n = 0; n < 5; n += 1) {
        const file = join(installation.home, folder, `file ${n}.txt`);
        await writeFile(file, `the text of ${folder} ${n}\n`).catch(() => undefined);
      }
    }
  }

  /** Mia, if a request has removed her. */
  async replenishPeople(): Promise<void> {
    const { installation } = this;
    const found = await installation.control('accounts.get', { username: MEMBER.username }).catch(() => null);
    // Somebody else may have her name or her folder by now.
    const mia = { ...MEMBER, name: 'Mia', createHomeFolder: true };
    if (found === null) await installation.control('accounts.add', mia).catch(() => undefined);
  }

  /** What a request has switched off, given another name or another password: the owner is who they were, with a token. */
  async signInAnew(): Promise<string> {
    await this.installation.control('accounts.update', {
      id: 1,
      newUsername: OWNER.username,
      password: OWNER.password,
      activated: true,
      expirationDate: null,
      requirePasswordChange: false,
    });
    return this.installation.token(OWNER.username, OWNER.password, ALL_SCOPES);
  }

  /** A browser in which the owner has signed in, or which nobody has used. */
  async visitor({ isSignedIn = true } = {}): Promise<WebVisitor> {
    const ca = await readFile(join(this.installation.folder, '.larder', 'tls', 'ca.crt'), 'utf8');
    const visitor = new WebVisitor({ port: Number(new URL(this.api.base).port), ca });
    if (!isSignedIn) return visitor;
    const page = await visitor.get('/account/');
    const fields = { form_token: page.field('form_token'), next: page.field('next') };
    const { status } = await visitor.post('/account/sign-in', { ...fields, ...OWNER });
    if (status !== 303) throw new Error(`not signed in: ${status}`);
    return visitor;
  }

  /** @param text an answer @returns what is wrong with it, or null */
  tellsTooMuch(text: string, { mayNameFolders = false } = {}): string | null {
    const secret = SECRETS.find((words) => text.includes(words));
    if (secret !== undefined) return `gives out "${secret}"`;
    if (text.includes(this.installation.folder) && !mayNameFolders) return 'tells where the folder is';
    const told = TELLS.exec(text);
    return told === null ? null : `tells of the machine: ${told[0]}`;
  }

  /** @returns what has changed where nobody may write, and what the doctor finds */
  async damages(): Promise<string[]> {
    const { problems } = await this.installation.doctor();
    const found = problems.map((problem) => `The doctor says: ${problem}`);
    if ((await this.#elsewhere()) !== this.#before) found.push('Something outside of the homes was changed.');
    return found;
  }

  /** Everything that lies beside the owner's home and the appliance's own area. */
  async #elsewhere(): Promise<string> {
    const { folder } = this.installation;
    const beside = await Promise.all([dirname(folder), folder].map((at) => readdir(at)));
    // What a power cut has reached is told by files beside the folder.
    const names = beside.map((all) => all.filter((name) => !name.endsWith('.reached')).sort());
    return JSON.stringify([names, await treeOf(this.#outside), await treeOf(join(folder, '.larder', 'tls'))]);
  }

  async remove(): Promise<void> {
    await this.installation.remove();
  }
}
