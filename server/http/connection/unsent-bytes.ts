import type { Socket } from 'node:net';

/** Bytes of replies that may wait for slow clients, over all connections of the process. */
const MAX_UNSENT = 64 * 1_024 * 1_024;
/** Milliseconds without progress after which a client counts as one that does not read. */
const STALLED = 5_000;
/** Milliseconds between two counts. */
const EVERY = 1_000;

interface Watched {
  /** Bytes of replies that are in memory and were not given to the connection yet. */
  held: number;
  /** Bytes that the system took from the connection at the last count, and when that number last grew. */
  taken: number;
  since: number;
}

/**
 * Counts the bytes of replies that wait in memory for clients to read them. Above the limit, connections are ended: first those
 * that have read nothing for some seconds, the one that holds most first; far above it also others.
 */
export class UnsentBytes {
  readonly #most: number;
  readonly #watched = new Map<Socket, Watched>();
  #held = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(most = MAX_UNSENT) {
    this.#most = most;
  }

  /** @param socket the one that replies are written to: with TLS, the one on top */
  watch(socket: Socket): void {
    this.#watched.set(socket, { held: 0, taken: 0, since: performance.now() });
    this.#timer ??= setInterval(() => this.#count(), EVERY).unref();
    socket.once('close', () => {
      this.#held -= this.#watched.get(socket)?.held ?? 0;
      this.#watched.delete(socket);
      if (this.#watched.size > 0 || this.#timer === null) return;
      clearInterval(this.#timer);
      this.#timer = null;
    });
  }

  /** Counts what waits beside the connection's own buffer: more, or with a negative number, less. */
  hold(socket: Socket, bytes: number): void {
    const watched = this.#watched.get(socket);
    if (watched === undefined) return;
    watched.held += bytes;
    this.#held += bytes;
    if (bytes > 0 && this.#held > this.#most) this.#count();
  }

  /** All that waits now, in bytes. */
  get total(): number {
    let total = this.#held;
    for (const socket of this.#watched.keys()) total += socket.writableLength;
    return total;
  }

  #count(): void {
    const now = performance.now();
    const waiting: { socket: Socket; bytes: number; isStalled: boolean }[] = [];
    let total = 0;
    for (const [socket, watched] of this.#watched) {
      const taken = socket.bytesWritten - socket.writableLength;
      const bytes = socket.destroyed ? 0 : socket.writableLength + watched.held;
      if (taken !== watched.taken || bytes === 0) Object.assign(watched, { taken, since: now });
      total += bytes;
      if (bytes > 0) waiting.push({ socket, bytes, isStalled: now - watched.since >= STALLED });
    }
    if (total <= this.#most) return;
    waiting.sort((a, b) => Number(b.isStalled) - Number(a.isStalled) || b.bytes - a.bytes);
    for (const { socket, bytes, isStalled } of waiting) {
      if (total <= (isStalled ? this.#most : 2 * this.#most)) return;
      socket.destroy();
      total -= bytes;
    }
  }
}

/** Of this process: its listeners share its memory. */
export const unsent = new UnsentBytes();
