import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { once } from '../../lib/async/once.ts';
import { programFile } from '../../lib/program-files.ts';

/** A third-party package that is part of Larder. */
interface Packed {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly part: 'server' | 'panel' | 'application';
  /** @returns the text of its licence; empty if it has none */
  text(): Promise<string>;
}

/** The application's folder, packed in an archive or not, with the packages below it. */
const ROOT = programFile('');
/** The panel's packages are listed when it is built, because they are not installed where it runs. */
const PANEL = programFile('dist/renderer/licences.json');

const TEXTS = /^(?:licen[cs]e|copying|notice|unlicense)/i;

const names = z.record(z.string(), z.unknown()).default({});
const manifest = z.object({
  name: z.string().default(''),
  version: z.string().default(''),
  // Old packages have an object here, older ones a list.
  license: z.unknown().optional(),
  licenses: z.unknown().optional(),
  dependencies: names,
  optionalDependencies: names,
  devDependencies: names,
});
type Manifest = z.output<typeof manifest>;

const panelPackages = z.array(
  z.object({ name: z.string(), version: z.string(), licence: z.string(), text: z.string() }),
);

/** All packages, by name. Read once, because an application does not change while it runs. */
export const packedPackages = once(async (): Promise<readonly Packed[]> => {
  const all = [...(await application()), ...(await installed()), ...(await inPanel())];
  return all.sort((a, b) => a.name.localeCompare(b.name, 'en') || a.version.localeCompare(b.version, 'en'));
});

/**
 * Where packages for builds and tests are installed too, the dependencies are followed from package to package; in a packed
 * application all packages count.
 */
async function installed(): Promise<Packed[]> {
  const root = await manifestIn(ROOT);
  const isPacked = Object.keys(root?.devDependencies ?? {}).length === 0;
  const found = new Map<string, Packed>();
  for (const { folder, of } of isPacked ? await below(ROOT) : await neededBy(root)) {
    const { name, version } = of;
    // Type packages are only for development.
    if (name === '' || name.startsWith('@types/')) continue;
    found.set(`${name}@${version}`, {
      name,
      version,
      licence: licenceOf(of),
      part: 'server',
      text: () => textsIn(folder),
    });
  }
  return [...found.values()];
}

interface Installed {
  readonly folder: string;
  readonly of: Manifest;
}

async function below(parent: string): Promise<Installed[]> {
  const at = join(parent, 'node_modules');
  const names = await readdir(at).catch(() => []);
  const scoped = names.map(async (name) =>
    name.startsWith('@') ? (await readdir(join(at, name))).map((one) => join(name, one)) : [name],
  );
  const folders = (await Promise.all(scoped)).flat().map((name) => join(at, name));
  const all = folders.map(async (folder) => {
    const of = await manifestIn(folder);
    return of === null ? [] : [{ folder, of }, ...(await below(folder))];
  });
  return (await Promise.all(all)).flat();
}

async function neededBy(root: Manifest | null): Promise<Installed[]> {
  const found = new Map<string, Installed>();
  let waiting = root === null ? [] : [{ folder: ROOT, of: root }];
  while (waiting.length > 0) {
    const needed = waiting.flatMap(({ folder, of }) =>
      Object.keys({ ...of.dependencies, ...of.optionalDependencies }).map((name) => nearest(folder, name)),
    );
    const there = (await Promise.all(needed)).filter((one) => one !== null);
    waiting = [...new Map(there.map((one) => [one.folder, one])).values()].filter(({ folder }) => !found.has(folder));
    for (const one of waiting) found.set(one.folder, one);
  }
  return [...found.values()];
}

/** As Node resolves a package: in the nearest folder of packages. */
async function nearest(from: string, name: string): Promise<Installed | null> {
  for (let at = from; ; at = dirname(at)) {
    const folder = join(at, 'node_modules', name);
    const of = await manifestIn(folder);
    // Optional packages, and those for other systems, may be missing.
    if (of !== null) return { folder, of };
    if (at === ROOT || at.length <= ROOT.length) return null;
  }
}

async function manifestIn(folder: string): Promise<Manifest | null> {
  try {
    return manifest.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
  } catch {
    return null;
  }
}

function licenceOf({ license, licenses }: Manifest): string {
  const stated = [license, ...(Array.isArray(licenses) ? licenses : [licenses])].map((one) =>
    typeof one === 'object' && one !== null && 'type' in one ? one.type : one,
  );
  return stated.filter((one) => typeof one === 'string').join(' OR ');
}

async function textsIn(folder: string): Promise<string> {
  const files = (await readdir(folder)).filter((file) => TEXTS.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8').catch(() => '')));
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n\n');
}

async function inPanel(): Promise<Packed[]> {
  // A server works without a built panel, too.
  const written = await readFile(PANEL, 'utf8').catch(() => '[]');
  return panelPackages
    .parse(JSON.parse(written))
    .map(({ text, ...one }) => ({ ...one, part: 'panel', text: async () => text }));
}

/** The components of the desktop window are beside the executable. */
async function application(): Promise<Packed[]> {
  const { electron } = process.versions;
  if (electron === undefined) return [];
  const file = join(dirname(process.execPath), 'LICENSE.electron.txt');
  const text = () => readFile(file, 'utf8').catch(() => '');
  return [{ name: 'electron', version: electron, licence: 'MIT', part: 'application', text }];
}
