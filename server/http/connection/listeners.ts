import { randomUUID } from 'node:crypto';
import http, { type RequestListener, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { html } from '../../lib/text/html.ts';
import { LANGUAGE } from '../../messages/catalogue.ts';
import { t, tHtml } from '../../messages/messages.ts';
import { ApiError } from '../errors.ts';
import { failureBodyFor } from '../response/envelope.ts';
import type { TrustsProxy } from './client-address.ts';
import { limitConnections } from './connections.ts';
import type { FailedHandshakes } from './failed-handshakes.ts';
import { endWith } from './linger.ts';
import type { Traffic } from './traffic.ts';
import { unsent } from './unsent-bytes.ts';

export interface Listener {
  readonly port: number;
  /** Accepts nothing new, lets requests in progress finish for `grace` milliseconds, then ends them. */
  close(grace: number): Promise<void>;
}

interface TlsMaterial {
  readonly key: string;
  readonly chain: string;
}

interface HttpsListener extends Listener {
  /** New connections get the new certificate; existing ones continue. */
  use(material: TlsMaterial): void;
}

const TIMES = {
  // A large upload over slow Wi-Fi takes hours; silence is limited where bodies are read.
  requestTimeout: 0,
  headersTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 32 * 1024,
  // A request without a Host is answered as every other that is malformed.
  requireHostHeader: false,
};

const FIRST_BYTE = 20_000;
const TLS_HANDSHAKE = 0x16;

/** @throws when the port is in use (`EADDRINUSE`) or not permitted (`EACCES`) */
export async function listenHttps({
  port,
  host,
  material,
  handler,
  traffic,
  trustsProxy,
  failedHandshakes,
}: {
  port: number;
  host: string;
  material: TlsMaterial;
  handler: RequestListener;
  traffic?: Traffic;
  trustsProxy?: TrustsProxy;
  failedHandshakes?: FailedHandshakes;
}): Promise<HttpsListener> {
  const server = https.createServer({ ...TIMES, ...tlsOptions(material), handshakeTimeout: FIRST_BYTE }, handler);
  countIn(server, traffic);
  answerPlainHttp(server);
  server.on('tlsClientError', (error, socket) => {
    failedHandshakes?.note(error, socket.remoteAddress);
    socket.destroy();
  });
  return {
    ...(await listen(server, { port, host, handler, trustsProxy })),
    use: (next) => server.setSecureContext(tlsOptions(next)),
  };
}

export function listenHttp({
  port,
  host,
  handler,
  traffic,
  trustsProxy,
}: {
  port: number;
  host: string;
  handler: RequestListener;
  traffic?: Traffic;
  trustsProxy?: TrustsProxy;
}): Promise<Listener> {
  const server = http.createServer(TIMES, handler);
  countIn(server, traffic);
  return listen(server, { port, host, handler, trustsProxy });
}

/** The raw connection: its bytes are counted as on the wire. */
function countIn(server: http.Server | https.Server, traffic: Traffic | undefined): void {
  if (traffic !== undefined) server.on('connection', (socket: Socket) => traffic.watch(socket));
}

function tlsOptions({ key, chain }: TlsMaterial): https.ServerOptions {
  return {
    key,
    cert: chain,
    minVersion: 'TLSv1.2',
    // AES-128-GCM first: half the work of Node's own first choice on machines of a household, and no less safe.
    ciphers: [
      'TLS_AES_128_GCM_SHA256',
      'TLS_CHACHA20_POLY1305_SHA256',
      'TLS_AES_256_GCM_SHA384',
      'ECDHE-ECDSA-AES128-GCM-SHA256',
      'ECDHE-RSA-AES128-GCM-SHA256',
      'ECDHE-ECDSA-CHACHA20-POLY1305',
      'ECDHE-RSA-CHACHA20-POLY1305',
      'ECDHE-ECDSA-AES256-GCM-SHA384',
      'ECDHE-RSA-AES256-GCM-SHA384',
    ].join(':'),
    honorCipherOrder: true,
  };
}

async function listen(
  server: http.Server | https.Server,
  {
    port,
    host,
    handler,
    trustsProxy,
  }: { port: number; host: string; handler: RequestListener; trustsProxy: TrustsProxy | undefined },
): Promise<Listener> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  // With TLS, replies are written to the TLS socket.
  server.on(server instanceof https.Server ? 'secureConnection' : 'connection', (socket: Socket) =>
    unsent.watch(socket),
  );
  limitConnections(server, trustsProxy);
  // Node silently drops headers beyond its limit, even security-relevant ones; smuggling-guard.ts counts them.
  server.maxHeadersCount = 0;
  // A client that waits for `100 Continue` gets it when the body is read, not before.
  server.on('checkContinue', handler);
  // The request guard refuses any other expectation, instead of Node before it.
  server.on('checkExpectation', handler);
  const broken = new WeakSet<Socket>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Each further chunk raises the event again.
    if (!broken.has(socket)) endBroken(socket, error);
    broken.add(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, ipv6Only: false }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close(grace) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const timer = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, grace);
      // Connections that were still busy become idle one by one.
      const sweep = setInterval(() => server.closeIdleConnections(), 100);
      await closed;
      clearTimeout(timer);
      clearInterval(sweep);
    },
  };
}

/**
 * Checks the first byte of every connection before the TLS layer, so that plain HTTP to the HTTPS port gets a readable reply
 * (§1.2). The https server itself still listens, so its time limits and its `close` apply.
 */
function answerPlainHttp(server: https.Server): void {
  const [startTls] = server.listeners('connection');
  if (startTls === undefined) throw new Error('the https server has no listener for connections');
  server.off('connection', startTls as (socket: Socket) => void);
  server.on('connection', (socket: Socket) => {
    const onError = () => socket.destroy();
    const firstByteTimer = setTimeout(onError, FIRST_BYTE);
    socket.on('error', onError);
    socket.on('close', () => clearTimeout(firstByteTimer));
    const look = () => {
      const first: Buffer | null = socket.read();
      if (first === null) return;
      clearTimeout(firstByteTimer);
      socket.off('readable', look);
      if (first[0] === TLS_HANDSHAKE) {
        socket.off('error', onError);
        socket.unshift(first);
        startTls.call(server, socket);
      } else {
        answerRaw(socket, new ApiError('https_required', t('api.requests.httpsOnly')), first);
      }
    };
    socket.on('readable', look);
  });
}

/** Rejects malformed requests and ends their connection; the reply to an earlier request is sent first. */
function endBroken(socket: Socket & { _httpMessage?: ServerResponse | null }, error: NodeJS.ErrnoException): void {
  const answering = socket._httpMessage;
  // Stops its parser: a request that was merely slow could still be completed and carried out.
  const isOver = error.code?.startsWith('HPE_');
  // Otherwise the body of that request is broken: its reply is in progress, and no second one can follow.
  if (isOver && answering?.req.complete) answering.once('close', () => endBroken(socket, error));
  else if (answering?.writableEnded) socket.destroySoon();
  else if (answering) socket.destroy();
  else {
    answerRaw(socket, brokenRequest(error));
    if (!isOver) socket.destroySoon();
  }
}

function brokenRequest(error: NodeJS.ErrnoException): ApiError {
  if (error.code === 'HPE_HEADER_OVERFLOW') return new ApiError('headers_too_large', t('api.requests.headersTooLarge'));
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ApiError('request_timeout', t('api.requests.headersTimeout'));
  return new ApiError('malformed_body', t('api.requests.notHttp'));
}

/** An answer on a bare socket: the envelope, or for a browser a page with the address that works. */
function answerRaw(socket: Socket, error: ApiError, request?: Buffer): void {
  if (!socket.writable) return;
  const head = request?.toString('latin1') ?? '';
  const path = /^[A-Z]+ ([^ ?]*)/.exec(head)?.[1] ?? '';
  const host = /\r\nhost:[ \t]*([A-Za-z0-9.:[\]-]+)/i.exec(head)?.[1];
  const wantsPage = host !== undefined && /\r\naccept:[^\r]*text\/html/i.test(head);
  const body = wantsPage ? httpsPage(host) : JSON.stringify(failureBodyFor(path, error));
  endWith(
    socket,
    [
      `HTTP/1.1 ${error.status} ${http.STATUS_CODES[error.status]}`,
      `Content-Type: ${wantsPage ? 'text/html' : 'application/json'}; charset=utf-8`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${randomUUID()}`,
      'Cache-Control: no-store',
      "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'",
      'X-Content-Type-Options: nosniff',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

/** No external resources: the connection is closed after this reply. */
function httpsPage(host: string): string {
  const address = `https://${host}/`;
  const link = html`<a href="${address}">${address}</a>`;
  return html`<!doctype html><html lang="${LANGUAGE}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${t('httpsPage.title')}</title><body style="font:16px/1.5 system-ui,sans-serif;max-width:30em;margin:20vh auto;padding:0 1em">
<h1 style="font-size:1.4em">${t('httpsPage.heading')}</h1>
<p>${tHtml('httpsPage.lead', { link })}</p></body></html>`.text;
}
