// The SHA-256 of a file, read as a stream: films do not fit into the memory of a phone.

import { sha256 } from '@noble/hashes/sha2.js';
import { bestEffort } from '../../server/lib/async/settled.ts';

/** Milliseconds of work after which the page may draw. */
const REST_AFTER = 8;

const channel = new MessageChannel();
const resting: (() => void)[] = [];
channel.port1.onmessage = () => resting.shift()?.();

/** Lets the page draw and react. Unlike a timer, it does not wait longer in a page that is not visible. */
const rest = (): Promise<void> =>
  new Promise((resolve) => {
    resting.push(resolve);
    channel.port2.postMessage(null);
  });

/** @returns hexadecimal, lower case @throws the reason of the signal, or the browser's error when the file cannot be read */
export async function hashOf(file: File, signal: AbortSignal): Promise<string> {
  const hash = sha256.create();
  const reader = file.stream().getReader();
  try {
    for (let worked = performance.now(); ; ) {
      signal.throwIfAborted();
      const { value, done } = await reader.read();
      if (done) break;
      hash.update(value);
      if (performance.now() - worked < REST_AFTER) continue;
      await rest();
      worked = performance.now();
    }
  } finally {
    await bestEffort(reader.cancel());
  }
  return Array.from(hash.digest(), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
