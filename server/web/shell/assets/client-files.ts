import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { programFile } from '../../../lib/program-files.ts';

/** The build's manifest entry of one module: its file, and what that loads. */
const manifestSchema = z.record(
  z.string(),
  z.object({
    file: z.string(),
    imports: z.array(z.string()).default([]),
    css: z.array(z.string()).default([]),
  }),
);

type Manifest = z.output<typeof manifestSchema>;

/** Files that a page loads with one entry, relative to the folder of the bundle. */
export interface EntryFiles {
  /** In cascade order. */
  readonly styles: readonly string[];
  readonly script: string | null;
  /** Static imports of the script. */
  readonly imports: readonly string[];
}

/** The built files for browsers: the pages' scripts and styles, or those of the viewer. Names contain a hash of the content. */
interface ClientFiles {
  /** All files of the bundle. */
  readonly names: readonly string[];
  /** @param source of the entry, below `web-client/` @throws Error when there is no such entry */
  entry(source: string): EntryFiles;
  /** The path of a file on this computer. */
  path(name: string): string;
  /** The text of a script or style. */
  text(name: string): Promise<string>;
}

/** @param folder below the built client, with a trailing slash; empty for the pages themselves */
export function readClientFiles(folder: '' | 'viewer/'): ClientFiles {
  const root = programFile(`dist/web-client/${folder}`);
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(root, 'manifest.json'), 'utf8')));
  const names = new Set(Object.values(manifest).flatMap(({ file, css }) => [file, ...css]));
  return {
    names: [...names],
    entry: (source) => filesOfEntry(manifest, source),
    path: (name) => join(root, name),
    text: (name) => readFile(join(root, name), 'utf8'),
  };
}

function filesOfEntry(manifest: Manifest, source: string): EntryFiles {
  const own = manifest[source];
  if (own === undefined) throw new Error(`the built client has no ${source}`);
  if (own.file.endsWith('.css')) return { styles: [own.file], script: null, imports: [] };
  const styles = new Set<string>();
  const seen = new Set<string>();
  // Styles of imports come before the module's own, which may override them.
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
