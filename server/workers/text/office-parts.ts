import { Parser } from 'htmlparser2';
import type { ZipParts } from './zip-parts.ts';

/** UTF-16 units of a part that describes others. */
const MAX_DESCRIPTION = 4 * 1024 * 1024;

/** A relationship between parts of a document (ECMA-376, part 2, 6.5). */
interface Relationship {
  readonly id: string;
  /** The last segment of its type, which is the same in the transitional and the strict form. */
  readonly type: string;
  /** The name of a part. */
  readonly target: string;
}

/** The parts that a part refers to, in the order of the file. External targets are left out. @param name '' for the document */
export async function relationshipsOf(parts: ZipParts, name: string): Promise<readonly Relationship[]> {
  const slash = name.lastIndexOf('/') + 1;
  const described = `${name.slice(0, slash)}_rels/${name.slice(slash)}.rels`;
  const found: Relationship[] = [];
  for (const { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode } of await elements(
    parts,
    described,
    'Relationship',
  )) {
    const part = mode === 'External' ? null : partOf(name, target);
    if (part !== null) found.push({ id, type: type.slice(type.lastIndexOf('/') + 1), target: part });
  }
  return found;
}

/** The main part of a document, or null if the document names none. */
export async function mainPartOf(parts: ZipParts): Promise<string | null> {
  const main = (await relationshipsOf(parts, '')).find(({ type }) => type === 'officeDocument')?.target;
  return main !== undefined && parts.has(main) ? main : null;
}

/** The ids in the elements of a part that list others, such as `sldId`, in their order. */
export async function listedIds(parts: ZipParts, name: string, element: string): Promise<readonly string[]> {
  return (await elements(parts, name, element)).flatMap((attributes) => {
    const key = Object.keys(attributes).find((attribute) => /^[^:]+:id$/.test(attribute));
    return key === undefined ? [] : [attributes[key] ?? ''];
  });
}

/** The attributes of the elements of one name, without its prefix. */
export async function elements(
  parts: ZipParts,
  name: string,
  element: string,
): Promise<Readonly<Record<string, string>>[]> {
  const found: Readonly<Record<string, string>>[] = [];
  const parser = new Parser(
    {
      onopentag(full, attributes) {
        if (full.slice(full.indexOf(':') + 1) === element) found.push(attributes);
      },
    },
    { xmlMode: true },
  );
  parser.end(await parts.readAll(name, MAX_DESCRIPTION));
  return found;
}

/** Resolves a reference of a part. It only identifies another part, and never becomes a path. */
function partOf(source: string, target: string): string | null {
  try {
    const base = new URL(source.split('/').map(encodeURIComponent).join('/'), 'part:///');
    const { protocol, pathname } = new URL(target.replaceAll('\\', '/'), base);
    return protocol === 'part:' ? decodeURIComponent(pathname).replace(/^\/+/, '') : null;
  } catch {
    return null;
  }
}
