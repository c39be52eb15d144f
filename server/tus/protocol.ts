import type { IncomingMessage, ServerResponse } from 'node:http';
import { rightsOf } from '../access/caller.ts';
import { maxUploadBytes } from '../access/limits.ts';
import { CHECKSUM_NAMES } from '../files/upload/content-digest.ts';
import { isAllowed } from '../http/connection/is-allowed.ts';
import { ApiError } from '../http/errors.ts';
import type { Protocol } from '../http/front-end.ts';
import { t } from '../messages/messages.ts';
import { append } from './append.ts';
import { create } from './create.ts';
import { type Exchange, sendEmpty, type TusContext } from './exchange.ts';
import { allowRequests, checkVersion, EXTENSIONS, setCommonHeaders, VERSION } from './headers.ts';
import { status } from './status.ts';
import { terminate } from './terminate.ts';

const SCOPES = ['upload'] as const;

type Handler = (context: TusContext, exchange: Exchange, id: string) => Promise<void>;

const OF_COLLECTION: Readonly<Record<string, Handler>> = { POST: create };
const OF_UPLOAD: Readonly<Record<string, Handler>> = { HEAD: status, PATCH: append, DELETE: terminate };

/** `/tus/`, and `/tus/<id>` for one upload. */
const ADDRESS = /^\/tus(?:\/([A-Za-z0-9_-]{1,128})?)?\/?$/;

/** The resumable upload protocol tus 1.0.0 (https://tus.io/protocols/resumable-upload), on top of chunked uploads. */
export function createTus(context: TusContext): Protocol {
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = ADDRESS.exec((request.url ?? '').split('?', 1)[0] ?? '');
    if (request.method === 'OPTIONS') return sendOptions(context, request, response);
    checkVersion(request);
    if (address === null) throw new ApiError('unknown_endpoint', t('api.tus.unknownAddress'));
    const [, id] = address;
    const handlers = id === undefined ? OF_COLLECTION : OF_UPLOAD;
    const handler = handlers[methodOf(request)];
    if (handler === undefined) throw wrongMethod(Object.keys(handlers));
    const begunAt = context.clock.now();
    const confirm = () => context.authenticate(request, { scopes: SCOPES }, begunAt);
    const principal = await context.authenticate(request, { scopes: SCOPES }, null);
    context.onCall(principal, response, () => isAllowed(confirm));
    await handler(context, { request, response, principal, confirm }, id ?? '').catch((error) => {
      throw inTerms(error, response);
    });
  }

  return {
    methods: [...Object.keys(OF_COLLECTION), ...Object.keys(OF_UPLOAD), 'OPTIONS'],
    credentials: ['bearer'],
    matches: (path) => path === '/tus' || path.startsWith('/tus/'),
    setCommonHeaders,
    handle,
  };
}

/** A client whose environment cannot send every method names it in a header. */
function methodOf({ method = '', headers }: IncomingMessage): string {
  return String(headers['x-http-method-override'] ?? method).toUpperCase();
}

function wrongMethod(methods: readonly string[]): ApiError {
  const allowed = [...methods, 'OPTIONS'].join(', ');
  return new ApiError('method_not_allowed', t('api.requests.wrongMethod', { methods: allowed }), {
    headers: { Allow: allowed },
  });
}

/** Core protocol, OPTIONS: also the preflight of browsers, which has no token. */
async function sendOptions(context: TusContext, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader('Tus-Version', VERSION);
  response.setHeader('Tus-Extension', EXTENSIONS.join(','));
  response.setHeader('Tus-Checksum-Algorithm', CHECKSUM_NAMES.join(','));
  allowRequests(response, [...Object.keys(OF_COLLECTION), ...Object.keys(OF_UPLOAD), 'OPTIONS']);
  const limit = await limitOf(context, request);
  if (limit !== null) response.setHeader('Tus-Max-Size', String(limit));
  sendEmpty(response, 204);
}

/** Bytes that the account of a request may upload as one file; null if it has no limit, or is unknown. */
async function limitOf({ authenticate }: TusContext, request: IncomingMessage): Promise<number | null> {
  if (request.headers.authorization === undefined) return null;
  try {
    const limit = maxUploadBytes([rightsOf(await authenticate(request, { scopes: SCOPES }, null))]);
    return limit === Number.MAX_SAFE_INTEGER ? null : limit;
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return null;
    throw error;
  }
}

/** Gives failures of uploads the status or the text that the protocol needs. */
function inTerms(error: unknown, response: ServerResponse): unknown {
  if (!(error instanceof ApiError)) return error;
  const { code, details, cause } = error;
  if (code === 'digest_mismatch') {
    response.statusMessage = 'Checksum Mismatch';
    return new ApiError(code, t('api.tus.checksumMismatch'), { ...(details && { details }), status: 460, cause });
  }
  if (code === 'not_found' && typeof details?.folder === 'string') {
    return new ApiError(code, t('api.tus.missingFolder', { folder: details.folder }), { details, cause });
  }
  return error;
}
