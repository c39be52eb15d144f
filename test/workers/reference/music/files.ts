import { buildFlac, buildId3v1, buildMp3, buildOpus, ID3_TEXTS } from './build.ts';

const WORDS = [
  'Yellow',
  'Für Elise',
  'Подмосковные вечера',
  '上を向いて歩こう',
  'حبيبي',
  'AC/DC',
  'Rock & Roll; part 1',
  'a'.repeat(200),
];
const YEARS = ['1999', '2024-05-06', '1975-06'];
const TRACKS = ['3', '3/12', '10/10'];
const GENRES = ['Rock', 'Chanson', '(17)', 'Jazz'];

/** Small pieces of music with the tags of each kind, in each encoding. */
export function music(): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  const add = (what: string, extension: string, content: Buffer) =>
    files.set(`${String(files.size).padStart(3, '0')}-${what}.${extension}`, content);

  for (const [index, words] of WORDS.entries()) {
    const year = YEARS[index % YEARS.length] ?? '';
    const track = TRACKS[index % TRACKS.length] ?? '';
    const genre = GENRES[index % GENRES.length] ?? '';
    for (const [encoding, text] of Object.entries(ID3_TEXTS)) {
      if (encoding === 'latin1' && /[^\0-\xff]/.test(words)) continue;
      const version = encoding === 'utf8' || encoding === 'utf16be' ? 4 : 3;
      const frames = [
        ['TIT2', text(words)],
        ['TALB', text(`Album ${words}`)],
        ['TPE2', text('Various')],
        ['TRCK', text(track)],
        [version === 4 ? 'TDRC' : 'TYER', text(year.slice(0, version === 4 ? 10 : 4))],
        ['TCON', text(genre)],
        ['TCOM', text('Beethoven')],
        ['TPE1', text(words)],
      ] as const;
      add(`id3v2${version}-${encoding}`, 'mp3', buildMp3(version, frames));
      const terminated = frames.map(
        ([id, body]) => [id, Buffer.concat([body, Buffer.alloc(encoding.startsWith('utf16') ? 2 : 1)])] as const,
      );
      add(`id3v2${version}-${encoding}-ended`, 'mp3', buildMp3(version, terminated));
    }
    if (/^[\0-\x7f]*$/.test(words)) {
      const old = buildId3v1({
        title: words,
        artist: 'Ann',
        album: `Album ${words}`,
        year: year.slice(0, 4),
        track: index + 1,
        genre: 17,
      });
      add('id3v1', 'mp3', buildMp3(3, [], old));
      if (index === 0) add('id3v1-and-2', 'mp3', buildMp3(3, [['TIT2', ID3_TEXTS.utf16('Newer')]], old));
    }
    const comments = [
      ['TITLE', words],
      ['ARTIST', words],
      ['ALBUM', `Album ${words}`],
      ['ALBUMARTIST', 'Various'],
      ['TRACKNUMBER', track.split('/')[0] ?? ''],
      ['DATE', year],
      ['GENRE', genre.startsWith('(') ? 'Folk' : genre],
      ['COMPOSER', 'Beethoven'],
    ] as const;
    const small = comments.map(([name, value]) => [name.toLowerCase(), value] as const);
    add('vorbis', 'flac', buildFlac(comments));
    add('vorbis-small', 'flac', buildFlac(small));
    add('vorbis-two', 'flac', buildFlac([...comments, ['ARTIST', 'Ben'], ['GENRE', 'Live']]));
    add('vorbis', 'opus', buildOpus(comments));
    add('vorbis-small', 'opus', buildOpus(small));
  }
  return files;
}
