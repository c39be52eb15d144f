import http, { type IncomingMessage, type OutgoingHttpHeaders, type RequestListener } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';

interface InMemoryRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer | null;
  /** Ends the connection, even during a request. */
  readonly signal: AbortSignal;
}

export interface InMemory {
  /** @returns the reply as it begins; its body is read by the caller @throws when the connection ends before that */
  send(request: InMemoryRequest): Promise<IncomingMessage>;
}

/**
 * Requests that this process makes of itself: real HTTP, parsed and answered as any, over a connection that is in memory only.
 * There is no port that others could find, and no certificate that may be out of date in between. What travels so is as
 * safe as behind TLS, and counts as that; it comes from no address.
 */
export function inMemory(handler: RequestListener): InMemory {
  const server = http.createServer({ requestTimeout: 0 }, handler);
  return {
    send: ({ method, path, headers, body, signal }) =>
      new Promise((resolve, reject) => {
        const [own, theirs] = connection();
        const request = http.request({
          method,
          path,
          headers: { ...headers, connection: 'close' },
          signal,
          createConnection: () => own,
        });
        request.on('response', resolve);
        request.on('error', reject);
        server.emit('connection', theirs);
        request.end(body ?? undefined);
      }),
  };
}

function connection(): [Duplex, Duplex] {
  const [own, theirs] = duplexPair();
  // A pair does not pass on that one end was destroyed; a connection does.
  own.once('close', () => theirs.destroy());
  theirs.once('close', () => own.destroy());
  // The client is this process: it is never silent, so no timeout is needed.
  const socket = { encrypted: true, setTimeout: () => theirs };
  return [own, Object.assign(theirs, socket)];
}
