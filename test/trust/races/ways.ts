import { randomUUID } from 'node:crypto';
import { OWNER } from '../../support/households/household.ts';
import type { ApiClient, Reply } from '../../support/requests/api-client.ts';

/** How a client changes files of the owner. Paths are below the home, and of letters, digits and slashes. */
export interface Ways {
  store(api: ApiClient, path: string, content: Buffer): Promise<Reply>;
  /** The same as several requests, of which the last one stores the content. */
  inParts?(api: ApiClient, path: string, content: Buffer): Promise<Reply>;
  /** @param name in the same folder */
  rename(api: ApiClient, path: string, name: string): Promise<Reply>;
  remove(api: ApiClient, path: string): Promise<Reply>;
}

export const API_WAYS: Ways = {
  store: (api, path, content) => api.put({ path: `/ROOT/HOME/${path}` }, content),
  rename: (api, path, newName) => api.post('files/rename', { path: `/ROOT/HOME/${path}`, newName }),
  remove: (api, path) => api.post('files/delete', { path: `/ROOT/HOME/${path}` }),
};

const FILES = `/remote.php/dav/files/${OWNER.username}/My%20files`;
const UPLOADS = `/remote.php/dav/uploads/${OWNER.username}`;

export const DAV_WAYS: Ways = {
  store: (api, path, body) => api.send('PUT', `${FILES}/${path}`, { body }),

  async inParts(api, path, content) {
    const transfer = `${UPLOADS}/${randomUUID()}`;
    const half = Math.ceil(content.length / 2);
    const parts = [content.subarray(0, half), content.subarray(half)];
    const begun = await api.send('MKCOL', transfer);
    if (begun.status >= 300) return begun;
    for (const [index, body] of parts.entries()) {
      const sent = await api.send('PUT', `${transfer}/${index + 1}`, { body });
      if (sent.status >= 300) return sent;
    }
    return api.send('MOVE', `${transfer}/.file`, { headers: { destination: `${FILES}/${path}` } });
  },

  rename(api, path, name) {
    const folder = path.slice(0, path.lastIndexOf('/'));
    return api.send('MOVE', `${FILES}/${path}`, {
      headers: { destination: `${FILES}/${folder}/${name}`, overwrite: 'F' },
    });
  },

  remove: (api, path) => api.send('DELETE', `${FILES}/${path}`),
};
