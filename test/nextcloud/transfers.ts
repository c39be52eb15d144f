import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Household, openHousehold } from '../support/households/household.ts';
import type { ApiClient, Reply } from '../support/requests/api-client.ts';
import { DavClient, type DavRequest, davClient, parsed } from '../support/webdav/dav-client.ts';

type Headers = Record<string, string>;
type Body = DavRequest['body'];

/** An app that sends files in parts. */
export class TransferClient {
  /** At the address of files. */
  readonly app: DavClient;
  readonly #uploads: DavClient;

  /** @param app at any address */
  constructor(app: DavClient) {
    this.app = app.at(`/remote.php/dav/files/${app.username}`);
    this.#uploads = app.at(`/remote.php/dav/uploads/${app.username}`);
  }

  /** The same after a restart, which has another port. */
  after({ api }: Pick<Household, 'api'>): TransferClient {
    return new TransferClient(new DavClient(api, this.app.username, this.app.password));
  }

  /** The whole address of a file, as phones state it. @param path percent-encoded, below the address of files */
  destination(path: string): Headers {
    return { destination: `${this.app.base}${this.app.prefix}${path}` };
  }

  /** @param path below the transfers of the account, such as `/id/1` */
  send(method: string, path: string, request: DavRequest = {}): Promise<Reply> {
    return this.#uploads.send(method, path, request);
  }

  begin(id: string, headers: Headers = {}): Promise<Reply> {
    return this.send('MKCOL', `/${id}`, { headers });
  }

  part(id: string, name: string | number, body: Body, headers: Headers = {}): Promise<Reply> {
    return this.send('PUT', `/${id}/${name}`, { headers, body });
  }

  /** Begins a transfer and sends its parts, with numbers from 1. */
  async parts(id: string, contents: readonly (string | Buffer)[]): Promise<void> {
    const replies = [await this.begin(id)];
    for (const [index, content] of contents.entries()) replies.push(await this.part(id, index + 1, content));
    const bad = replies.find(({ status }) => status !== 201);
    if (bad !== undefined) throw new Error(`${bad.status} ${bad.text}`);
  }

  /** @param path of the file, percent-encoded, below the address of files */
  finish(id: string, path: string, headers: Headers = {}): Promise<Reply> {
    return this.send('MOVE', `/${id}/.file`, { headers: { ...this.destination(path), ...headers } });
  }

  abort(id: string): Promise<Reply> {
    return this.send('DELETE', `/${id}`);
  }

  /** The names and sizes of the parts that are there, or the status of a refusal. */
  async listed(id: string): Promise<Record<string, number> | number> {
    const { status, text } = await this.send('PROPFIND', `/${id}`, { headers: { depth: '1' } });
    if (status !== 207) return status;
    const [, ...parts] = [...parsed(text)];
    return Object.fromEntries(
      parts.map(([href, { found }]) => [href.split('/').at(-1) ?? '', Number(found.get('getcontentlength'))]),
    );
  }
}

/** The status of a refusal, and its code. */
export const codeOf = ({ status, text }: Reply) => [status, /<s:exception>(\w+)/.exec(text)?.[1]];
export const statusOf = async (reply: Promise<Reply>) => (await reply).status;

/** A household with an app of the owner. */
export async function openTransfers(): Promise<{ household: Household; api: ApiClient; app: TransferClient }> {
  const household = await openHousehold();
  const api = await household.signIn();
  return { household, api, app: new TransferClient(await davClient(api)) };
}

/** A new folder for a test, with the id of a transfer. @returns `box` as the app calls it */
export async function newBox({ home }: Household, next: number): Promise<{ next: number; id: string; box: string }> {
  await mkdir(join(home, `box ${next}`));
  return { next, id: `transfer-${next}`, box: `/My%20files/box%20${next}` };
}
