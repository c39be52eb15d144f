import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes of buffers. V8 begins a complete collection after some 25 MB; what was freed shortly before is counted late. */
const COLLECT_AFTER = 6 * 1024 * 1024;

type Collect = (options: { type: 'minor'; execution: 'sync' }) => void;

/** Undefined until it is needed; null where there is none. */
let collect: Collect | null | undefined;
let bytes = 0;

/**
 * Called for bytes that arrived in short-lived buffers. Their objects are so small that V8 rarely collects the young ones, while
 * the memory behind them makes it collect everything, some 40 times per gigabyte: a third of the work of an upload. A collection
 * of the young ones takes half a millisecond.
 */
export function noteShortLived(length: number): void {
  bytes += length;
  if (bytes < COLLECT_AFTER) return;
  bytes = 0;
  if (collect === undefined) collect = findCollect();
  collect?.({ type: 'minor', execution: 'sync' });
}

/** The function is only in contexts made after the flag was set. @returns null where there is none */
function findCollect(): Collect | null {
  try {
    setFlagsFromString('--expose-gc');
    return runInNewContext('gc') as Collect;
  } catch {
    return null;
  } finally {
    setFlagsFromString('--no-expose-gc');
  }
}
