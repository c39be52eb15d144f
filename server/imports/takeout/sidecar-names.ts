import { foldName } from '../../lib/names/names.ts';
import { isMedia } from '../exports/entries.ts';

/** What newer exports add to the name of a photo for its JSON, of which as much is left as fits. */
const SUPPLEMENT = '.supplemental-metadata';
/** Characters to which exports cut the name of a JSON, without its ending and number. A few more or less have been seen. */
const CUT = { fewest: 43, usual: 46, most: 53 } as const;
/** Characters of the name of a photo, without its ending. */
const MAX_STEM = 47;

/** What replaces characters in a name that some system does not allow. */
const REPLACED = /[&<>:"/\\|?*'%\p{Cc}]/gu;

/** A name and the number that follows it: `IMG_1(2)` is 2. */
interface Numbered {
  readonly text: string;
  /** 0 if there is none. */
  readonly number: number;
}

/** A JSON of a folder that may describe a photo. */
interface NamedJson<Json> {
  readonly json: Json;
  /** The name that the photo had before it was exported; empty if unknown. */
  readonly title: string;
}

/**
 * The JSONs of one folder of an export, found by the names of photos and films. The rules, in their order: the JSON has the name
 * of the photo, with the number of the photo at its end, if it has one; it has the name without its ending; the photo is an
 * edited copy, whose name ends with a word in the language of the account, such as `-edited`; another file of the same name has
 * the JSON, as the photo of a Live Photo has; its title is the name.
 */
export class SidecarNames<Json> {
  /** By the folded name, without ending. */
  readonly #byName = new Map<string, Json>();
  /** By the folded name of the photo that the name of the JSON contains, without its ending. */
  readonly #byStem = new Map<string, Json>();
  readonly #byTitle = new Map<string, Json>();

  /** @param name of the JSON, with its ending */
  add(name: string, { json, title }: NamedJson<Json>): void {
    const base = name.replace(/\.json$/i, '');
    const { text, number } = numbered(base);
    setFirst(this.#byName, foldName(base), json);
    setFirst(this.#byStem, keyOf(stemOf(withoutSupplement(text)), number), json);
    if (title === '') return;
    const { stem, ending } = split(title.replace(REPLACED, '_'));
    setFirst(this.#byTitle, keyOf(stem.slice(0, MAX_STEM) + ending, number), json);
  }

  /** @param name of a photo or film @returns undefined if none describes it */
  find(name: string): Json | undefined {
    const { stem, ending } = split(name);
    const { text, number } = numbered(stem);
    return (
      this.#named(name, 0) ??
      (number === 0 ? undefined : this.#named(text + ending, number)) ??
      this.#edited({ text, number }, ending) ??
      this.#ofStem(stem, 0) ??
      // The name of a motion photo contains that of its film as a whole.
      this.#ofStem(name, 0) ??
      (number === 0 ? undefined : this.#ofStem(text, number)) ??
      this.#byTitle.get(keyOf(text + ending, number)) ??
      this.#byTitle.get(keyOf(name, 0))
    );
  }

  /** Whether a JSON names a file, whatever its type: so it is a photo or film. @param name of the file */
  names(name: string): boolean {
    const { stem, ending } = split(name);
    const { text, number } = numbered(stem);
    return (
      this.#named(name, 0) !== undefined ||
      (number > 0 && this.#named(text + ending, number) !== undefined) ||
      this.#byTitle.has(keyOf(name, 0))
    );
  }

  /** The JSON with the name of a photo, whatever is left of what follows it. */
  #named(name: string, number: number): Json | undefined {
    const end = number === 0 ? '' : `(${number})`;
    const whole = name + SUPPLEMENT;
    const usual = this.#byName.get(foldName(whole.slice(0, CUT.usual) + end));
    if (usual !== undefined) return usual;
    for (let length = whole.length; length >= name.length; length -= 1) {
      const found = this.#byName.get(foldName(whole.slice(0, length) + end));
      if (found !== undefined) return found;
    }
    for (let length = Math.min(name.length - 1, CUT.most); length >= CUT.fewest; length -= 1) {
      const found = this.#byName.get(foldName(name.slice(0, length) + end));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The word differs by language and may be cut, so what counts is that the original has a JSON. */
  #edited({ text, number }: Numbered, ending: string): Json | undefined {
    const dash = text.lastIndexOf('-');
    if (dash <= 0 || !/^[\p{L}\p{M} ]{1,24}$/u.test(text.slice(dash + 1))) return undefined;
    const original = text.slice(0, dash);
    return this.#named(original + ending, number) ?? this.#ofStem(original, number);
  }

  #ofStem(stem: string, number: number): Json | undefined {
    return this.#byStem.get(keyOf(stem, number)) ?? this.#byStem.get(keyOf(stem.slice(0, CUT.usual), number));
  }
}

/** Whether the name of a JSON contains that of a photo or film. @param names folded, of the files beside it */
export function namesOneOf(json: string, names: ReadonlySet<string>): boolean {
  const { text } = numbered(json.replace(/\.json$/i, ''));
  return names.has(foldName(text)) || names.has(foldName(withoutSupplement(text)));
}

function keyOf(name: string, number: number): string {
  return `${number} ${foldName(name)}`;
}

function setFirst<Value>(map: Map<string, Value>, key: string, value: Value): void {
  if (!map.has(key)) map.set(key, value);
}

function numbered(text: string): Numbered {
  const [, name, number] = /^(.+)\((\d{1,6})\)$/s.exec(text) ?? [];
  return name === undefined ? { text, number: 0 } : { text: name, number: Number(number) };
}

function split(name: string): { stem: string; ending: string } {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? { stem: name, ending: '' } : { stem: name.slice(0, dot), ending: name.slice(dot) };
}

/** The name of a photo without its ending; another dot belongs to the name. */
function stemOf(name: string): string {
  return isMedia(name) ? split(name).stem : name;
}

function withoutSupplement(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 && SUPPLEMENT.startsWith(name.slice(dot)) ? name.slice(0, dot) : name;
}
