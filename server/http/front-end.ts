import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiError } from './errors.ts';

/** What can prove who calls: a token (RFC 6750), a name with a password or secret (RFC 7617), or the cookie of a browser. */
type Credential = 'bearer' | 'basic' | 'cookie';

/** One way into the server. Every request belongs to exactly one, which decides what it may carry and how it is answered. */
export interface FrontEnd {
  readonly name: string;
  /** All others are refused at its addresses. */
  readonly methods: readonly string[];
  /**
   * Others are removed from a request before it is handled, so that nothing here can depend on them: cookies, and the header
   * `Authorization` where neither tokens nor passwords are taken.
   */
  readonly credentials: readonly Credential[];
  /** Whether it is closed while the owner has switched the API off. */
  readonly needsApi: boolean;
  /** Whether the owner allows it; undefined for one without a switch of its own. */
  isAllowed?(): boolean;
  /** Whether background work makes room while it answers; an open page of the panel keeps a request for hours. */
  readonly makesRoom: boolean;
  /** @param path of the request as sent, below the prefix of the installation, without the query; null outside it */
  matches(path: string | null, method: string): boolean;
  /** Sets headers of every reply, also of those that refuse a request before it is handled. */
  setCommonHeaders?(response: ServerResponse): void;
  /** @throws ApiError, which is then sent by `sendFailure` */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void> | void;
  /** How clients of it expect a failure. Nothing of a reply has been sent yet. */
  sendFailure(request: IncomingMessage, response: ServerResponse, error: ApiError): void;
}

/** A front end with addresses and failures of its own, such as WebDAV, as its folder declares it. */
export type Protocol = Pick<FrontEnd, 'methods' | 'credentials' | 'setCommonHeaders' | 'handle'> &
  Partial<Pick<FrontEnd, 'sendFailure'>> & {
    /** @param path below the prefix of the installation, without the query */
    matches(path: string, method: string): boolean;
  };

/** Removes from a request what may not prove anything at this front end. */
export function withholdCredentials(
  { headers }: IncomingMessage,
  { credentials }: Pick<FrontEnd, 'credentials'>,
): void {
  if (!credentials.includes('cookie')) delete headers.cookie;
  if (!credentials.includes('bearer') && !credentials.includes('basic')) delete headers.authorization;
}
