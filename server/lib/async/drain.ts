import type { Writable } from 'node:stream';

/** Waits until a sink accepts more, or closes. @returns whether it accepts more */
export function drained(sink: Writable): Promise<boolean> {
  if (sink.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    const settle = () => {
      sink.off('drain', settle).off('close', settle);
      resolve(!sink.destroyed);
    };
    sink.on('drain', settle).on('close', settle);
  });
}
