import type { ApiClient, Reply } from './api-client.ts';
import { openSharingHousehold, type SharingHousehold } from './sharing.ts';

export { outcome } from './sharing.ts';

/** Olga makes links; visitors have only the address. */
export interface LinkHousehold extends SharingHousehold {
  /** @returns the id of the link */
  link(path: string, form?: Record<string, string | number>): Promise<string>;
  /** A request without cookies or tokens, like a program that opens an address. */
  visit(id: string, query?: Record<string, string>, headers?: Record<string, string>): Promise<Reply>;
  /** The `weblink-full` detail of one of Olga's items. */
  details(folder: string, name: string): Promise<Record<string, unknown> | undefined>;
}

export async function openLinkHousehold(
  options: Parameters<typeof openSharingHousehold>[0] = {},
): Promise<LinkHousehold> {
  const household = await openSharingHousehold(options);
  return Object.assign(Object.create(household) as SharingHousehold, {
    async link(path: string, form: Record<string, string | number> = {}) {
      const reply = await household.as('olga').post('files/weblink', { path, ...form });
      if (reply.status !== 200) throw new Error(`no link: ${reply.text}`);
      return idOf(reply);
    },
    visit(id: string, query: Record<string, string> = {}, headers: Record<string, string> = {}) {
      return household.api.send('GET', `/wl/?${new URLSearchParams({ id, ...query })}`, { headers });
    },
    async details(folder: string, name: string) {
      const query = { path: folder, itemType: 'any', 'details[]': 'weblink-full' };
      const { body } = await household.as('olga').get('files/browse', query);
      const item = body.data.files.find(({ filename }: { filename: string }) => filename === name);
      return item?.['weblink-full'];
    },
  });
}

export function idOf({ body }: Reply): string {
  const id = new URL(body.data.url).searchParams.get('id');
  if (id === null) throw new Error(`no id in ${body.data.url}`);
  return id;
}

/** Presses the page's download button, like a browser. @returns the reply after its redirect */
export async function pressDownload(
  api: ApiClient,
  id: string,
  headers: Record<string, string> = {},
  form: Record<string, string> = { all: '1' },
): Promise<Reply> {
  const pressed = await api.send('POST', `/wl/get?id=${id}`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(form).toString(),
  });
  if (pressed.status !== 303) return pressed;
  return api.send('GET', pressed.headers.location ?? '', { headers });
}
