import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ExportEntry } from '../../dist/server/imports/exports/entries.js';
import { planExport } from '../../dist/server/imports/exports/plan-export.js';
import { buildPackedZip, type ZipItem } from '../support/content/build-zip.ts';
import type { Household } from '../support/households/household.ts';
import { addMembersWithHomes, type Granted, homeOf, signInAs } from '../support/households/member.ts';
import type { ApiClient } from '../support/requests/api-client.ts';

export const HOME = '/ROOT/HOME';
/** Where the photos of a year are in an export, and the folder of an album. */
export const YEAR = 'Takeout/Google Photos/Photos from 2019';
export const LAKE = 'Takeout/Google Photos/At the lake';

/** 12 June 2019, 08:00 UTC, in seconds. */
export const JUNE = 1_560_326_400;

export const photoJson = (more: object = {}) =>
  JSON.stringify({ title: 'IMG_1.jpg', photoTakenTime: { timestamp: String(JUNE) }, ...more });
export const albumJson = (title: string) => JSON.stringify({ title, description: '', access: 'protected' });

/** A file and its JSON. */
export const photo = (path: string, content: string | Buffer, more: object = {}): ZipItem[] => [
  { name: path, content },
  { name: `${path}.supplemental-metadata.json`, content: photoJson(more) },
];

export const DETAILS_HEADER = 'imgName,fileChecksum,favorite,hidden,deleted,originalCreationDate,viewCount,importDate';

/** A row of the descriptions in a copy of iCloud Photos: of 12 June, 08:00 UTC. */
export function detailsRow(
  name: string,
  {
    year,
    isFavourite = false,
    isHidden = false,
    isDeleted = false,
  }: {
    readonly year: number;
    readonly isFavourite?: boolean;
    readonly isHidden?: boolean;
    readonly isDeleted?: boolean;
  },
): string {
  const flags = [isFavourite, isHidden, isDeleted].map((is) => (is ? 'yes' : 'no')).join(',');
  return `"${name}",sum of ${name.replace(',', '')},${flags},"Wednesday June 12,${year} 8:00 AM GMT",0,"Wednesday June 12,${year} 9:10 PM GMT"`;
}

export const detailsOf = (...rows: readonly string[]) => [DETAILS_HEADER, ...rows, ''].join('\n');

/** The plan of entries, with the texts of some of them; without XMP. */
export const planOfTexts = (
  entries: readonly ExportEntry[],
  texts: ReadonlyMap<ExportEntry, string>,
  options = { folderAlbums: false },
) =>
  planExport(
    entries,
    async (requested, parse) => {
      const read = requested.map(async (entry) => [entry, await parse(texts.get(entry) ?? null)] as const);
      return new Map(await Promise.all(read));
    },
    async () => new Map(),
    options,
  );

/** A new account with a home of its own, signed in. */
export async function memberWithHome(
  household: Household,
  name: string,
  granted: Granted = {},
): Promise<{ api: ApiClient; home: string }> {
  await addMembersWithHomes(household, { [name]: granted });
  return { api: await signInAs(household, name), home: homeOf(household, name) };
}

/** Puts archives into a home. @returns their paths in the API */
export async function putArchives(home: string, ...parts: readonly (readonly ZipItem[])[]): Promise<string[]> {
  const names = parts.map((_, index) => `takeout-${String(index + 1).padStart(3, '0')}.zip`);
  for (const [index, name] of names.entries()) await writeFile(join(home, name), buildPackedZip(parts[index] ?? []));
  return names.map((name) => `${HOME}/${name}`);
}

export interface Import {
  import: string;
  state: string;
  failure: string | null;
  target: string;
  folderAlbums: boolean;
  total: number | null;
  handled: number;
  stored: number;
  known: number;
  inAlbums: number;
  undated: number;
}

export interface Report {
  import: Import;
  archives: string[];
  notesTotal: number;
  notes: { entry: string; reason: string }[];
}

export async function start(api: ApiClient, paths: readonly string[], more: object = {}): Promise<Import> {
  const { status, body, text } = await api.post('imports/add', { 'paths[]': paths, ...more });
  expect(status, text).toBe(200);
  return body.data;
}

export async function reportOf(api: ApiClient, id: string): Promise<Report> {
  const { status, body, text } = await api.get('imports/item', { import: id });
  expect(status, text).toBe(200);
  return body.data;
}

/** Waits until an import has ended. */
export async function ended(api: ApiClient, id: string): Promise<Report> {
  await expect.poll(async () => (await reportOf(api, id)).import.state).toMatch(/^(?:done|failed|cancelled)$/);
  return reportOf(api, id);
}

/** Imports archives, which must succeed. */
export async function imported(api: ApiClient, paths: readonly string[], more: object = {}): Promise<Report> {
  const report = await ended(api, (await start(api, paths, more)).import);
  expect([report.import.state, report.import.failure]).toEqual(['done', null]);
  return report;
}

/** The paths of all files in a folder of a home. */
export async function storedIn(home: string, folder: string): Promise<string[]> {
  return (await readdir(join(home, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(home.length + 1))
    .sort();
}

/** The titles of all albums, and the names of what is in each. */
export async function albumsOf(api: ApiClient): Promise<Record<string, string[]>> {
  const { albums } = (await api.get('albums/list')).body.data as { albums: { album: string; title: string }[] };
  const contents: Record<string, string[]> = {};
  for (const { album, title } of albums) {
    const { files } = (await api.get('albums/items', { album })).body.data as { files: { filename: string }[] };
    contents[title] = files.map(({ filename }) => filename).sort();
  }
  return contents;
}
