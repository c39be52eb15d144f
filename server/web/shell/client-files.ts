import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { programFile } from '../../lib/program-files.ts';

/** What the build says of one module: the file that it has become, and what that loads. */
const manifestSchema = z.record(
  z.string(),
  z.object({
    file: z.string(),
    imports: z.array(z.string()).default([]),
    css: z.array(z.string()).default([]),
  }),
);

export type Manifest = z.output<typeof manifestSchema>;

/** Files that a page loads with one entry, relative to the folder of the bundle. */
export interface EntryFiles {
  /** In the order in which they hold. */
  readonly styles: readonly string[];
  readonly script: string | null;
  /** What the script imports before it begins. */
  readonly imports: readonly string[];
}

/** What is built for browsers: the pages' scripts and styles, or those of the viewer. Names have a hash of what is in the file. */
export interface ClientFiles {
  /** Of everything that the bundle consists of. */
  readonly names: readonly string[];
  /** @param source of the entry, below `web-client/` @throws Error when there is no such entry */
  entry(source: string): EntryFiles;
  /** Where a file is on this computer. */
  path(name: string): string;
}

/** @param folder below the built client, with a slash at its end; empty for the pages themselves */
export function readClientFiles(folder: '' | 'viewer/'): ClientFiles {
  const root = programFile(`dist/web-client/${folder}`);
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(root, 'manifest.json'), 'utf8')));
  const names = new Set(Object.values(manifest).flatMap(({ file, css }) => [file, ...css]));
  return {
    names: [...names],
    entry: (source) => filesOfEntry(manifest, source),
    path: (name) => join(root, name),
  };
}

function filesOfEntry(manifest: Manifest, source: string): EntryFiles {
  const own = manifest[source];
  if (own === undefined) throw new Error(`the built client has no ${source}`);
  if (own.file.endsWith('.css')) return { styles: [own.file], script: null, imports: [] };
  const styles = new Set<string>();
  const seen = new Set<string>();
  // What a module imports stands before its own styles, which may change it.
  const collect = (name: string) => {
    const module = manifest[name];
    if (module === undefined || seen.has(name)) return;
    seen.add(name);
    for (const imported of module.imports) collect(imported);
    for (const style of module.css) styles.add(style);
  };
  collect(source);
  const imports = [...seen].flatMap((name) => manifest[name]?.file ?? []).filter((file) => file !== own.file);
  return { styles: [...styles], script: own.file, imports };
}
