import type { Socket } from 'node:net';
import { LruCache } from '../../lib/lru-cache.ts';
import { addressGroup } from './client-address.ts';

/** How many addresses are remembered: a household has fewer, and made-up ones must not fill the memory. */
const REMEMBERED = 1_000;

/** How often the connections from one address failed before they were secure, since the server started. */
interface HandshakeFailures {
  /** The client refused our certificate and said so with a TLS alert (RFC 8446 §6.2). */
  readonly refused: number;
  /** The connection ended for another reason. Some clients refuse a certificate without a word. */
  readonly ended: number;
}

const NONE: HandshakeFailures = { refused: 0, ended: 0 };

/**
 * Counts failed TLS handshakes by the address of the client. A browser that does not trust our certificate tells neither the page
 * nor us by a request: the failed connection is the only trace.
 */
export class FailedHandshakes {
  readonly #counts = new LruCache<HandshakeFailures>(REMEMBERED);

  /** @param error of the event `tlsClientError` */
  note(error: NodeJS.ErrnoException, address: Socket['remoteAddress']): void {
    if (address === undefined) return;
    const before = this.of(address);
    const isRefusal = /ALERT/.test(error.code ?? '');
    this.#counts.set(addressGroup(address), {
      refused: before.refused + (isRefusal ? 1 : 0),
      ended: before.ended + (isRefusal ? 0 : 1),
    });
  }

  /** @param address of a client, from `addressOf` */
  of(address: string | null): HandshakeFailures {
    return this.#counts.get(addressGroup(address)) ?? NONE;
  }
}
