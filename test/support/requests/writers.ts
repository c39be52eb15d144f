import { randomBytes } from 'node:crypto';
import type { ApiClient, Reply } from './api-client.ts';
import { encodedForm } from './forms.ts';

type Write = (api: ApiClient, path: string, text: string, headers: Record<string, string>) => Promise<Reply>;

/** The ways to upload a whole file. */
export const WRITES: Readonly<Record<string, Write>> = {
  PUT: (api, path, text, headers) => api.put({ path }, text, headers),
  async POST(api, path, text, headers) {
    const form = await encodedForm({ path, file: new Blob([text]) });
    return api.send('POST', '/api.php/files/upload', { headers: { ...form.headers, ...headers }, body: form.body });
  },
  /** The condition is sent with the last chunk. */
  async 'a chunked upload'(api, path, text, headers) {
    const query = { path, totalSize: text.length, uploadId: `upload-${randomBytes(8).toString('hex')}` };
    await api.put({ ...query, startByte: 0 }, text.slice(0, 2));
    return api.put({ ...query, startByte: 2 }, text.slice(2), headers);
  },
};
