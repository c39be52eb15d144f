import { isUtf8 } from 'node:buffer';
import { readdirSync } from 'node:fs';
import type { FolderHandle } from './folder-handle.ts';

/**
 * The names in a folder that are not valid UTF-8, as old systems wrote them: no text can name such a file, so no listing contains
 * it. Unreadable bytes are shown as `\xe9`, and backslashes are doubled.
 */
export function undecodableNamesIn(folder: FolderHandle): string[] {
  return readdirSync(folder.at('.'), { encoding: 'buffer' })
    .filter((name) => !isUtf8(name))
    .map(escaped)
    .sort();
}

function escaped(name: Buffer): string {
  let text = '';
  for (let at = 0; at < name.length; ) {
    const length = [1, 2, 3, 4].find((bytes) => at + bytes <= name.length && isUtf8(name.subarray(at, at + bytes)));
    const chunk = name.subarray(at, at + (length ?? 1));
    text += length === undefined ? `\\x${chunk.toString('hex')}` : chunk.toString('utf8').replace('\\', '\\\\');
    at += chunk.length;
  }
  return text;
}
