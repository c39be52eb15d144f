import type { IncomingMessage } from 'node:http';
import { type Clock, HOUR } from '../../lib/clock.ts';
import { LruCache } from '../../lib/lru-cache.ts';
import type { DavAddress } from '../../webdav/address.ts';
import type { StoredFile } from '../../webdav/store-file.ts';

/** How long the result of a transfer is remembered, for a client that lost the reply. */
const REMEMBERED_FOR = HOUR;
const MOST = 1_000;

/** What is part of the request beside the transfer: another request is no repetition. */
const HEADERS = ['oc-checksum', 'oc-total-length', 'x-oc-mtime', 'repr-digest', 'content-digest', 'overwrite'];

interface Finished {
  readonly request: string;
  readonly stored: StoredFile;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Transfers whose parts were joined, in memory, by account, credential and name. */
export class FinishedTransfers {
  readonly #finished = new LruCache<Finished>(MOST);
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(place: string, request: IncomingMessage, destination: DavAddress, stored: StoredFile): void {
    this.#finished.set(place, {
      request: requestOf(request, destination),
      stored,
      at: this.#clock.now(),
    });
  }

  /** @returns what the same request was answered with; undefined if it is not remembered */
  find(place: string, request: IncomingMessage, destination: () => DavAddress): StoredFile | undefined {
    const found = this.#finished.get(place);
    if (found === undefined || Math.abs(this.#clock.now() - found.at) >= REMEMBERED_FOR) return undefined;
    return found.request === requestOf(request, destination()) ? found.stored : undefined;
  }

  /** A new transfer has the same name. */
  forget(place: string): void {
    this.#finished.delete(place);
  }
}

function requestOf({ headers }: IncomingMessage, { segments }: DavAddress): string {
  return JSON.stringify([segments, ...HEADERS.map((name) => headers[name] ?? null)]);
}
