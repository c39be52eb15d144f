import type { IncomingMessage } from 'node:http';
import { addressGroup } from '../connection/client-address.ts';
import { ApiError } from '../errors.ts';

/** Bytes of parameters that may be in memory at once, over all requests of the process and for one address. */
const MOST = 64 * 1_024 * 1_024;
const MOST_OF_ADDRESS = 16 * 1_024 * 1_024;

/** What one request holds. */
export interface BodyShare {
  /** @throws ApiError `temporarily_unavailable` when too much is held already */
  add(bytes: number): void;
  /** Gives all of it back. */
  release(): void;
}

/** Bounds the memory that unfinished request bodies hold: many clients may send slowly, and all of it waits to be parsed. */
export class BodyBudget {
  readonly #most: number;
  readonly #mostOfAddress: number;
  readonly #held = new Map<string, number>();
  #total = 0;

  constructor(most = MOST, mostOfAddress = MOST_OF_ADDRESS) {
    this.#most = most;
    this.#mostOfAddress = mostOfAddress;
  }

  /** Bytes that are held. */
  get total(): number {
    return this.#total;
  }

  open({ socket }: Pick<IncomingMessage, 'socket'>): BodyShare {
    // The other end of the connection: behind a proxy all clients share its part, which is what the proxy may hold.
    const group = addressGroup(socket.remoteAddress ?? null);
    let own = 0;
    return {
      add: (bytes) => {
        const held = this.#held.get(group) ?? 0;
        if (this.#total + bytes > this.#most || held + bytes > this.#mostOfAddress) {
          throw new ApiError(
            'temporarily_unavailable',
            'Too many requests are being received. Try again in a moment.',
            {
              headers: { 'Retry-After': '5' },
            },
          );
        }
        own += bytes;
        this.#total += bytes;
        this.#held.set(group, held + bytes);
      },
      release: () => {
        const rest = (this.#held.get(group) ?? 0) - own;
        if (rest > 0) this.#held.set(group, rest);
        else this.#held.delete(group);
        this.#total -= own;
        own = 0;
      },
    };
  }
}

/** Of this process: its listeners share its memory. */
export const requestBodies = new BodyBudget();
