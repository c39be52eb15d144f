import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type EmbeddedReading, openEmbeddedReader } from './embedded-support.ts';
import type { Values } from './reference/differences.ts';
import { compareFamily, printed } from './reference/harness.ts';
import { DIFFERENCES } from './reference/known-differences.ts';
import { music } from './reference/music/files.ts';

const files = music();

let reading: EmbeddedReading;
beforeAll(async () => {
  reading = await openEmbeddedReader();
});
afterAll(() => reading.close());

/** The tags of FFmpeg by the fields of Larder. */
const TAGS = {
  title: 'title',
  artist: 'artist',
  album: 'album',
  albumartist: 'album_artist',
  track: 'track',
  year: 'date',
  genre: 'genre',
  composer: 'composer',
} as const;

interface Probed {
  readonly format?: { readonly tags?: Readonly<Record<string, string>> };
  readonly streams?: readonly { readonly tags?: Readonly<Record<string, string>> }[];
}

function readByProbe(folder: string): Values {
  const values = new Map<string, unknown>();
  for (const file of files.keys()) {
    const options = ['-v', 'quiet', '-of', 'json', '-show_format', '-show_streams', join(folder, file)];
    const { format, streams = [] } = JSON.parse(printed('ffprobe', options)) as Probed;
    const tags = Object.fromEntries(
      Object.entries({ ...streams[0]?.tags, ...format?.tags }).map(([name, value]) => [name.toLowerCase(), value]),
    );
    for (const [field, tag] of Object.entries(TAGS)) {
      const value = tags[tag];
      if (value !== undefined) values.set(`${file}: ${field}`, asLarder(field, value));
    }
  }
  return values;
}

/** Larder shows the year, and blanks around the slash. */
function asLarder(field: string, value: string): string {
  if (field === 'year') return value.slice(0, 4);
  return field === 'track' ? value.replace('/', ' / ') : value;
}

async function readByLarder(folder: string): Promise<Values> {
  const values = new Map<string, unknown>();
  for (const file of files.keys()) {
    for (const { key, values: found } of (await reading.readAt(join(folder, file))).fields) {
      const field = key.slice('audio.'.length);
      if (field in TAGS) values.set(`${file}: ${field}`, whole(found));
    }
  }
  return values;
}

/** Larder has the parts of a name with slashes as well, so that either is found. */
function whole(found: readonly string[]): string {
  const [first = '', ...others] = found;
  return others.length > 0 && others.join('/') === first ? first : found.join(';');
}

compareFamily({
  name: 'music',
  files,
  program: { name: 'ffprobe', version: ['ffprobe', '-version'], read: readByProbe },
  larder: readByLarder,
  differences: DIFFERENCES.music,
});
