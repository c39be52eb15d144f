import { Parser } from 'htmlparser2';

/** Nesting of elements, number of elements with text, and UTF-16 units of one text. */
const MAX_DEPTH = 100;
const MAX_LEAVES = 2_000;
const MAX_TEXT = 50_000;

class Enough extends Error {}

/** The texts of a small XML document, in order. */
export interface Leaves {
  /** Of elements of this name; `title` also finds `dc:title`, as programs use different prefixes. */
  of(name: string): readonly string[];
  /** An attribute of the first element of this name, both without prefixes. */
  attribute(name: string, attribute: string): string | undefined;
}

/** @param property the attribute that names the meaning of an element: `meta` in EPUB */
export function leavesIn(xml: string, property?: string): Leaves {
  const texts = new Map<string, string[]>();
  const attributes = new Map<string, string>();
  let [depth, leaves, text] = [0, 0, ''];
  let named: string | undefined;
  const parser = new Parser(
    {
      onopentag(name, all) {
        depth += 1;
        if (depth > MAX_DEPTH) throw new Enough();
        text = '';
        named = property === undefined ? undefined : all[property];
        for (const [key, value] of Object.entries(all)) {
          const place = `${localName(name)} ${localName(key)}`;
          if (attributes.size < MAX_LEAVES && !attributes.has(place)) attributes.set(place, value.slice(0, MAX_TEXT));
        }
      },
      onclosetag(name) {
        depth -= 1;
        if (text.trim() !== '') {
          leaves += 1;
          if (leaves > MAX_LEAVES) throw new Enough();
          const key = localName(named ?? name);
          texts.set(key, [...(texts.get(key) ?? []), text.trim()]);
        }
        text = '';
        named = undefined;
      },
      ontext(chunk) {
        if (text.length < MAX_TEXT) text += chunk.slice(0, MAX_TEXT);
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  try {
    parser.end(xml);
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  return {
    of: (name) => texts.get(name) ?? [],
    attribute: (name, attribute) => attributes.get(`${name} ${attribute}`),
  };
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
