import { Parser } from 'htmlparser2';

/** A file behind the photo, in the order of the files: lengths in bytes. */
interface ContainedItem {
  semantic: string;
  length: number;
  /** Bytes between it and the next one. */
  padding: number;
}

/** What XMP states about the film in a photo. */
interface StatedMotion {
  /** The photo and what follows it (Motion Photo format 1.0); empty unless the photo has a film. */
  readonly items: readonly ContainedItem[];
  /** Bytes from the beginning of the film to the end of the file (the former Micro Video); null if there is none. */
  readonly fromEnd: number | null;
}

const MAX_ITEMS = 50;
const MAX_TEXT = 100;
const NAMES = ['MotionPhoto', 'MicroVideo'];
const STATED = new Set([...NAMES, 'MicroVideoOffset']);
const OF_ITEM = new Set(['Semantic', 'Length', 'Padding']);

/** Reads what XMP states about a film. Programs write properties as attributes or as elements, with prefixes of their own. */
export function statedMotionIn(xmp: Buffer | null): StatedMotion {
  const stated = new Map<string, string>();
  const items: ContainedItem[] = [];
  if (xmp !== null && NAMES.some((name) => xmp.includes(name))) {
    let text = '';
    const take = (name: string, value: string) => {
      const item = items.at(-1);
      if (STATED.has(name) && !stated.has(name)) stated.set(name, value.trim());
      else if (item === undefined) return;
      else if (name === 'Semantic') item.semantic = value.trim();
      else if (name === 'Length') item.length = bytesIn(value);
      else if (name === 'Padding') item.padding = bytesIn(value);
    };
    const parser = new Parser(
      {
        onopentag(name, attributes) {
          const isItem = localName(name) === 'Item';
          if (isItem && items.length < MAX_ITEMS) items.push({ semantic: '', length: 0, padding: 0 });
          for (const [key, value] of Object.entries(attributes)) {
            const local = localName(key);
            if (isItem ? OF_ITEM.has(local) : STATED.has(local)) take(local, value);
          }
          text = '';
        },
        ontext(chunk) {
          if (text.length < MAX_TEXT) text += chunk.slice(0, MAX_TEXT);
        },
        onclosetag(name) {
          const local = localName(name);
          if (text.trim() !== '' && (STATED.has(local) || OF_ITEM.has(local))) take(local, text);
          text = '';
        },
      },
      { xmlMode: true, decodeEntities: true },
    );
    parser.end(xmp.toString('utf8'));
  }
  const fromEnd = stated.get('MicroVideo') === '1' ? bytesIn(stated.get('MicroVideoOffset') ?? '') : 0;
  return { items: stated.get('MotionPhoto') === '1' ? items : [], fromEnd: fromEnd > 0 ? fromEnd : null };
}

/** Zero for what is no number of bytes. */
function bytesIn(text: string): number {
  return /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : 0;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
