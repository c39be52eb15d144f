import type { Larder } from './larder.ts';
import { pause } from './work.ts';

/** Milliseconds that a server may take for what it does by itself after a start. */
const TIMEOUT = 15 * 60_000;
/** Milliseconds between two looks at its progress. */
const CHECK_INTERVAL = 500;

/** Until every file was compared with the catalogue, and every document and the metadata of every picture are indexed. */
export async function isIndexed(larder: Larder): Promise<void> {
  // In this order: nothing may be waiting while the comparison still finds documents.
  await isCompared(larder);
  await within(
    (async () => {
      const control = await larder.control();
      for (;;) {
        const { texts, embedded } = await control.status();
        if (texts.waiting === 0 && embedded.waiting === 0 && texts.indexed > 0) return;
        await pause(CHECK_INTERVAL);
      }
    })(),
  );
}

/** Until every file was compared with the catalogue. */
export async function isCompared(larder: Larder): Promise<void> {
  await within(larder.control().then((control) => control.until(['ready'])));
}

/** @throws Error when the server takes too long */
export function within<T>(work: Promise<T>): Promise<T> {
  return Promise.race([
    work,
    pause(TIMEOUT).then(() => {
      throw new Error('the server does not finish its work');
    }),
  ]);
}
