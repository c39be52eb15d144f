import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ApiClient } from '../support/requests/api-client.ts';

/** Puts a picture into a home like another program. @param day of June 2027 on which it was taken */
export async function putPhoto(home: string, name: string, day: number): Promise<void> {
  const file = join(home, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(
    file,
    `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="${day}" height="30" fill="#456"/></svg>`,
  );
  const time = new Date(2027, 5, day, 12);
  await utimes(file, time, time);
}

/** Has an item recorded. @returns its uuid */
export async function uuidOf(api: ApiClient, path: string): Promise<string> {
  return (await api.get('files/info', { path, 'details[]': 'uuid' })).body.data.uuid;
}
