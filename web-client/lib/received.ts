// What other apps have shared with this one: the service worker keeps it in a cache of the browser, and a page saves it. Only types:
// the worker is one file without imports.

export type ReceivedCache = 'larder-received';

/** Headers of an entry. Its body is the content. */
export interface ReceivedHeaders {
  /** Encoded for an address; empty for a text without a title. */
  readonly 'X-Name': string;
  /** When it was received, in milliseconds since the epoch. */
  readonly 'X-Time': string;
  /** The modification time of a file, likewise. */
  readonly 'X-Modified': string;
  /** Bytes. */
  readonly 'X-Size': string;
  readonly 'Content-Type': string;
}

/**
 * The last part of the address of what is no file: that the device had no room for some, that more was shared than is kept (with a
 * `ReceivedLimit`), and which account has seen what is kept.
 */
export type ReceivedNote = 'incomplete' | 'full' | 'account';

/** How much is kept at most, of all shares together. */
export interface ReceivedLimit {
  readonly files: number;
  readonly bytes: number;
}
