import type { Socket } from 'node:net';

/** Milliseconds between two samples, and their number: three minutes. */
export const SAMPLE_EVERY = 5_000;
const KEPT = 36;

export interface TrafficSample {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Bytes a second since the sample before, as they are on the wire. */
  readonly in: number;
  readonly out: number;
  /** Other ends of open connections, each once. */
  readonly devices: number;
}

/** Bytes in and out, from the counters of each socket: no work per request. */
export class Traffic {
  readonly #sockets = new Set<Socket>();
  readonly #listeners = new Set<(sample: TrafficSample) => void>();
  readonly #samples: TrafficSample[] = [];
  /** Of connections that are closed. */
  #closed = { in: 0, out: 0 };
  #before = { in: 0, out: 0, at: performance.now() };

  watch(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#closed = { in: this.#closed.in + socket.bytesRead, out: this.#closed.out + socket.bytesWritten };
    });
  }

  /** The oldest first. */
  samples(): readonly TrafficSample[] {
    return this.#samples;
  }

  /** Returns the function that ends the subscription. */
  onSample(listener: (sample: TrafficSample) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Called every {@link SAMPLE_EVERY}. @param at milliseconds since the epoch */
  take(at: number): void {
    const total = { ...this.#closed };
    const devices = new Set<string>();
    for (const socket of this.#sockets) {
      total.in += socket.bytesRead;
      total.out += socket.bytesWritten;
      if (socket.remoteAddress !== undefined) devices.add(socket.remoteAddress);
    }
    const now = performance.now();
    const seconds = Math.max(0.001, (now - this.#before.at) / 1_000);
    const rate = (way: 'in' | 'out') => Math.max(0, Math.round((total[way] - this.#before[way]) / seconds));
    const sample = { at, in: rate('in'), out: rate('out'), devices: devices.size };
    this.#before = { ...total, at: now };
    this.#samples.push(sample);
    if (this.#samples.length > KEPT) this.#samples.shift();
    for (const listener of this.#listeners) listener(sample);
  }
}
