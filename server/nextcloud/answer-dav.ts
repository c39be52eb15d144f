import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AccountCaller } from '../access/caller.ts';
import { isAllowed } from '../http/connection/is-allowed.ts';
import { ApiError } from '../http/errors.ts';
import { t } from '../messages/messages.ts';
import { sendOptions } from '../webdav/options.ts';
import type { NextcloudParts } from './context.ts';

export type AnswerDavParts = Pick<NextcloudParts, 'dav' | 'authenticate' | 'now' | 'onCall'>;

/** Asks again who the caller is. @throws ApiError when the credential has ended */
type Confirm = () => Promise<AccountCaller>;

/** A request at an address of WebDAV that `webdav/` does not answer. */
interface DavRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The methods of all addresses of its kind, for `OPTIONS`. */
  readonly allow: readonly string[];
}

/** Authenticates a request and has it answered. `OPTIONS` needs no sign-in. */
export async function answerDav(
  { authenticate, now, onCall }: AnswerDavParts,
  { request, response, allow }: DavRequest,
  work: (caller: AccountCaller, confirm: Confirm) => Promise<void>,
): Promise<void> {
  if (request.method === 'OPTIONS') return sendOptions(response, ['OPTIONS', ...new Set(allow)].join(', '));
  const begunAt = now();
  const caller = await authenticate(request, null);
  const confirm = () => authenticate(request, begunAt);
  onCall(caller, response, () => isAllowed(confirm));
  await work(caller, confirm);
}

/** The method of a request at one address. @throws ApiError `method_not_allowed` */
export function davMethodOf<Method>(methods: Readonly<Record<string, Method>>, name = ''): Method {
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (method !== undefined) return method;
  throw new ApiError('method_not_allowed', t('api.webdav.method', { method: name }), {
    headers: { Allow: ['OPTIONS', ...Object.keys(methods)].join(', ') },
  });
}
