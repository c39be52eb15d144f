import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A household's files: folders of photos, and documents among them. */
export interface LibrarySizes {
  readonly folders: number;
  readonly files: number;
  readonly documents: number;
}

/** In the names of so many files, and in no other. */
export const RARE_NAME = { word: 'pomegranate', files: 50 };
/** In the text of so many documents, and in no other. */
export const RARE_WORD = { word: 'quicksilver', documents: 40 };

const SYLLABLES = ['ka', 'lo', 'mi', 'ren', 'ta', 'vo', 'ses', 'bu', 'dor', 'nel', 'pi', 'gra', 'sto', 'fen', 'hau'];
const NAMES = ['Holiday', 'Birthday', 'Garden', 'Invoice', 'Letter', 'Recipe', 'Kitchen', 'School', 'Winter', 'Lake'];

/** A vocabulary with words as often as people use them: the tenth one a tenth as often as the first. */
function wordAt(rank: number): string {
  let [word, rest] = ['', rank + 7];
  while (rest > 0) {
    word += SYLLABLES[rest % SYLLABLES.length];
    rest = Math.floor(rest / SYLLABLES.length);
  }
  return word;
}

const VOCABULARY = Array.from({ length: 20_000 }, (_, rank) => wordAt(rank));

/** The same numbers at every run. */
function numbers(): () => number {
  let state = 12_345;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff;
    return state / 0x80_00_00_00;
  };
}

/** Words of 5 to 20 KB. */
function textOf(next: () => number): string {
  const words: string[] = [];
  for (let count = 800 + Math.floor(next() * 2_400); count > 0; count -= 1) {
    // Zipf's law: equally many words between one and ten as between a thousand and ten thousand.
    words.push(VOCABULARY[Math.floor(VOCABULARY.length ** next()) - 1] ?? '');
  }
  return words.join(' ');
}

/** Writes the files below a folder. */
export function writeLibrary(root: string, { folders, files, documents }: LibrarySizes): void {
  const next = numbers();
  const every = (count: number, of: number) => Math.max(1, Math.floor(of / count));
  const perFolder = Math.ceil(files / folders);
  let [file, document] = [0, 0];
  for (let folder = 0; folder < folders; folder += 1) {
    // As people sort: years, and in each of them events.
    const path = join(root, `Year ${2000 + (folder % 20)}`, `${NAMES[folder % NAMES.length]} ${folder}`);
    mkdirSync(path, { recursive: true });
    for (let n = 0; n < perFolder && file < files; n += 1, file += 1) {
      const rare = file % every(RARE_NAME.files, files) === 0 && file / every(RARE_NAME.files, files) < RARE_NAME.files;
      const name = `${rare ? `${RARE_NAME.word} ` : ''}${NAMES[Math.floor(next() * NAMES.length)]} ${file}`;
      if (file % every(documents, files) === 0 && document < documents) {
        writeFileSync(join(path, `${name}.txt`), textOf(next));
        const place = document / every(RARE_WORD.documents, documents);
        if (Number.isInteger(place) && place < RARE_WORD.documents)
          appendFileSync(join(path, `${name}.txt`), ` ${RARE_WORD.word}`);
        document += 1;
      } else writeFileSync(join(path, `${name}.jpg`), `photo ${file}`);
    }
  }
}
