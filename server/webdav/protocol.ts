import type { IncomingMessage, ServerResponse } from 'node:http';
import { notFound } from '../access/access.ts';
import type { AccountCaller } from '../access/caller.ts';
import { isAllowed } from '../http/connection/is-allowed.ts';
import { ApiError } from '../http/errors.ts';
import type { Protocol } from '../http/front-end.ts';
import { prefixOf } from '../http/request/at-root.ts';
import { sandboxReply } from '../http/response/sandbox.ts';
import { once } from '../lib/async/once.ts';
import { t } from '../messages/messages.ts';
import { isDavPath, parseDavPath, treeAt } from './address.ts';
import type { DavContext } from './context.ts';
import { sendDavFailure } from './failure.ts';
import { withLockedAddress } from './locked-address.ts';
import { METHOD_NAMES } from './methods/names.ts';
import { sendOptions } from './options.ts';

// Loaded on first use: many households never connect a program.
const methods = once(async () => (await import('./methods/methods.ts')).METHODS);

const ALLOW = ['OPTIONS', ...METHOD_NAMES].join(', ');

interface DavProtocolParts {
  readonly context: DavContext;
  /**
   * @param begunAt null when the request begins; later the time when it began
   * @throws ApiError `invalid_token` with the challenges of both schemes
   */
  readonly authenticate: (request: IncomingMessage, begunAt: number | null) => Promise<AccountCaller>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Notified of every call that may be made, before it is. @param isAllowed checks again whether it may be made */
  readonly onCall: (caller: AccountCaller, response: ServerResponse, isAllowed: () => Promise<boolean>) => void;
}

/** WebDAV, classes 1, 2 and 3 (RFC 4918 §18), over the operations of the API. */
export function davProtocol({ context, authenticate, now, onCall }: DavProtocolParts): Protocol {
  async function call(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const begunAt = now();
    const caller = await authenticate(request, null);
    const again = () => authenticate(request, begunAt);
    onCall(caller, response, () => isAllowed(again));
    const name = METHOD_NAMES.find((one) => one === request.method);
    if (name === undefined) {
      throw new ApiError('method_not_allowed', t('api.webdav.method', { method: request.method ?? '' }), {
        headers: { Allow: ALLOW },
      });
    }
    const address = parseDavPath(path, prefixOf(request, context.basePath), caller);
    const davCall = { context, caller, address, request, response, confirm: again };
    try {
      await (await methods())[name](davCall);
    } catch (error) {
      throw await withLockedAddress(davCall, error);
    }
  }

  return {
    methods: ['OPTIONS', ...METHOD_NAMES],
    credentials: ['bearer', 'basic'],
    /**
     * Also what is not there: nothing that a program asks for is answered by pages. `OPTIONS` is answered at the root of the
     * server, too: Windows asks there first.
     */
    matches: (path, method) =>
      isDavPath(path) || /^\/remote\.php(?:\/|$)/.test(path) || (method === 'OPTIONS' && path === '/'),

    setCommonHeaders: sandboxReply,

    async handle(request, response) {
      const path = pathOf(request);
      if (path !== '/' && (!isDavPath(path) || treeAt(path) !== undefined)) throw notFound();
      if (request.method === 'OPTIONS') return sendOptions(response, ALLOW);
      await call(request, response, path);
    },

    sendFailure(request, response, error) {
      sendDavFailure(response, error, `${prefixOf(request, context.basePath)}${pathOf(request)}`);
    },
  };
}

/** Of a request whose `url` is below the prefix of the installation. */
function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}
