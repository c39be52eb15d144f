import type { IncomingMessage, ServerResponse } from 'node:http';
import { addressOf, usesHttps } from '../http/connection/client-address.ts';
import { ownAddress } from '../http/connection/hosts.ts';
import { ApiError } from '../http/errors.ts';
import { prefixOf } from '../http/request/at-root.ts';
import { parseForm, readText } from '../http/request/read-parameters.ts';
import { sendJson } from '../http/response/envelope.ts';
import { t } from '../messages/messages.ts';
import type { NextcloudParts } from './context.ts';

/** Bytes of the body that carries the token. */
const MAX_BODY = 4_096;

/** Begins the sign-in of an app: an address for a browser, and what the app asks with meanwhile. */
export async function beginLogin(
  { flows, basePath }: Pick<NextcloudParts, 'flows' | 'basePath'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  requireHttps(request);
  // The address that the app uses from then on. The page for the browser is below the prefix of the installation only.
  const server = `${ownAddress(request)}${prefixOf(request, basePath)}`;
  const device = request.headers['user-agent'] ?? '';
  const begun = flows.begin({ device, address: addressOf(request) ?? '', server });
  if (begun === null) throw new ApiError('too_many_requests', t('api.nextcloud.tooManyLogins'));
  sendJson(response, 200, {
    poll: { token: begun.token, endpoint: `${server}/index.php/login/v2/poll` },
    login: `${ownAddress(request)}${basePath}/account/connect?flow=${begun.secret}`,
  });
}

/** What was granted, once; 404 until then, and after it. */
export async function collectLogin(
  { flows }: Pick<NextcloudParts, 'flows'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  requireHttps(request);
  const { token } = parseForm(await readText(request, response, MAX_BODY));
  const granted = typeof token === 'string' ? flows.collect(token) : null;
  if (granted === null) {
    sendJson(response, 404, []);
    return;
  }
  const { server, username, password } = granted;
  sendJson(response, 200, { server, loginName: username, appPassword: password });
}

/** @throws ApiError `https_required` */
function requireHttps(request: IncomingMessage): void {
  if (!usesHttps(request)) throw new ApiError('https_required', t('api.requests.httpsOnly'));
}
