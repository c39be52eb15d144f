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
  readonly 'Content-Type': string;
}

/** The last part of the address of what is no file: that some did not fit, and which account has seen them. */
export type ReceivedNote = 'incomplete' | 'account';
