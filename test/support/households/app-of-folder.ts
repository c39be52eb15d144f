import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiClient } from '../requests/api-client.ts';
import { ALL_SCOPES, OWNER } from './household.ts';
import type { SetUp } from './set-up-folder.ts';

/** An app of a prepared folder, signed in as its owner. @param port of the server of the folder */
export async function appOfFolder(folder: string, port: number, client: SetUp): Promise<ApiClient> {
  const ca = await readFile(join(folder, '.larder', 'tls', 'ca.crt'), 'utf8');
  const { body } = await new ApiClient({ port, ca }).token({
    grant_type: 'password',
    ...OWNER,
    scope: ALL_SCOPES,
    client_id: client.clientId,
    client_secret: client.clientSecret,
  });
  return new ApiClient({ port, ca, token: String(body.access_token) });
}
