import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

// CommonJS, although the package's types say otherwise.
const require = createRequire(import.meta.url);
const MessageFormat: typeof import('@messageformat/core').default = require('@messageformat/core');
const compileModule: typeof import('@messageformat/core/lib/compile-module.js').default = require('@messageformat/core/compile-module');

const PREFIX = 'virtual:messages/';

/** An import of what runs, not of types. */
const SERVER_IMPORT = /^import \{[^}]*\} from '((?:\.\.\/)+server\/[^']+)';$/gm;

/** Keys that a source names: as a string, or as a template that stands for all matching keys. */
export function keysIn(source: string, keys: readonly string[]): string[] {
  const named = new Set([...source.matchAll(/'([\w.]+)'/g)].map(([, text]) => text));
  const templates = [...source.matchAll(/`([\w.]+(?:\$\{[^}]+\}[\w.]*)+)`/g)].map(([, text = '']) => {
    const parts = text.split(/\$\{[^}]+\}/).map((part) => part.replaceAll('.', '\\.'));
    return new RegExp(`^${parts.join('\\w+')}$`);
  });
  return keys.filter((key) => named.has(key) || templates.some((template) => template.test(key)));
}

/**
 * `virtual:messages/<folder>` exports the messages that the scripts of a folder name, as functions: browsers load no parser, and
 * no unused messages.
 * @param root of the scripts
 */
export function compileMessages(
  catalogue: Readonly<Record<string, string>>,
  { root, locale }: { readonly root: string; readonly locale: string },
): Plugin {
  const format = new MessageFormat(locale, { strict: true });
  return {
    name: 'messages',
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return undefined;
      const folder = join(root, id.slice(PREFIX.length + 1));
      const used = keysIn(sourceOf(folder), Object.keys(catalogue));
      const messages = Object.fromEntries(used.map((key) => [key, catalogue[key] ?? '']));
      const code = compileModule(format, messages).replace('export default', 'const messages =');
      const runtime = JSON.stringify(join(root, 'lib/format.ts'));
      return `import { isolateValues } from ${runtime};
${code};
export const t = (key, values) => messages[key](isolateValues(values));`;
    },
  };
}

/** Of the scripts of a folder, with the modules of the server that they run: these name messages, too. */
function sourceOf(folder: string): string {
  const names = readdirSync(folder, { encoding: 'utf8', recursive: true }).filter((name) => name.endsWith('.ts'));
  const sources = names.flatMap((name) => {
    const path = join(folder, name);
    const source = readFileSync(path, 'utf8');
    const shared = [...source.matchAll(SERVER_IMPORT)].map(([, from = '']) => join(dirname(path), from));
    return [source, ...shared.map((file) => readFileSync(file, 'utf8'))];
  });
  return sources.join('\n');
}
