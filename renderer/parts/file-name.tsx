import { bidiIsolate } from '../../server/lib/text/bidi-isolate.ts';
import styles from './file-name.module.css';

/** Longer names may not fit, in characters. */
const LONG = 32;
/** Characters that stay visible at the end of a long name. */
const END = 8;

/**
 * A name or path of a file. It cannot pretend to have another ending, and where it does not fit, it is shortened in the middle, so
 * that its ending stays visible.
 */
export function FileName({ name }: { readonly name: string }) {
  const characters = [...name];
  if (characters.length <= LONG) return bidiIsolate(name);
  return (
    <span className={styles.cut} title={bidiIsolate(name)}>
      <span>{bidiIsolate(characters.slice(0, -END).join(''))}</span>
      <span>{bidiIsolate(characters.slice(-END).join(''))}</span>
    </span>
  );
}
