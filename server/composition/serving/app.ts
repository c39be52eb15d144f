import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { serializePipelined } from '../../http/connection/pipelining.ts';
import { ApiError } from '../../http/errors.ts';
import { type FrontEnd, withholdCredentials } from '../../http/front-end.ts';
import { noteAtRoot } from '../../http/request/at-root.ts';
import { noteFailureSender } from '../../http/response/failure-sender.ts';
import { inClientTerms } from '../../http/system-failure.ts';
import type { Log } from '../../lib/log/log.ts';
import { t } from '../../messages/messages.ts';
import { type AppRequest, type AppResponse, type ChecksParts, requestChecks } from './checks.ts';
import { createFrontEnds, type FrontEndParts } from './front-ends.ts';

interface AppParts extends ChecksParts, FrontEndParts {
  readonly isApiEnabled: () => boolean;
  /** Background work pauses for requests. */
  readonly throttle: { begin(): () => void };
}

/** The handler of every request: checks it, and passes it to the front end that it belongs to. */
export function createApp(parts: AppParts): RequestListener {
  const { basePath, isApiEnabled, throttle, log } = parts;
  const checks = requestChecks(parts);
  const frontEnds = createFrontEnds(parts, fail);

  /**
   * The target below the prefix of the installation; null for another one. Programs may look for WebDAV, and for what belongs to it,
   * at the root of the host, whatever address a person has entered.
   */
  function below(request: AppRequest, target: string): string | null {
    if (target.startsWith(`${basePath}/`)) return target.slice(basePath.length);
    const [path = ''] = target.split('?', 1);
    const isOfPrograms = [parts.nextcloud, parts.webdav].some((one) => one.matches(path, request.method ?? ''));
    if (!isOfPrograms) return null;
    noteAtRoot(request);
    return target;
  }

  function handle(request: AppRequest, response: AppResponse): void {
    const target = targetOf(request.url ?? '');
    const url = below(request, target);
    const path = url?.split('?', 1)[0] ?? null;
    const frontEnd = frontEnds.find((one) => one.matches(path, request.method ?? '')) as FrontEnd;
    try {
      for (const check of checks) check(request, response);
      withholdCredentials(request, frontEnd);
      frontEnd.setCommonHeaders?.(response);
      if (frontEnd.makesRoom) response.once('close', throttle.begin());
      if (frontEnd.needsApi && !isApiEnabled()) throw new ApiError('api_disabled', t('api.service.apiDisabled'));
      if (frontEnd.isAllowed?.() === false) throw new ApiError('api_disabled', t('api.service.protocolDisabled'));
      if (url !== null) request.url = url;
      noteFailureSender(response, (error) => frontEnd.sendFailure(request, response, error));
      frontEnd.handle(request, response)?.catch((error) => fail(frontEnd, error, request, response));
    } catch (error) {
      if (!response.headersSent) frontEnd.setCommonHeaders?.(response);
      fail(frontEnd, error, request, response);
    }
  }

  /** Sends a failure in the terms of the front end. Details of unexpected ones are only logged, with the request's id. */
  function fail(
    frontEnd: Pick<FrontEnd, 'sendFailure'>,
    thrown: unknown,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    const error = reported(log, thrown, response as AppResponse);
    if (response.headersSent) response.destroy();
    else frontEnd.sendFailure(request, response, error);
  }

  return (request, response) =>
    serializePipelined(request, response, () => handle(request as AppRequest, response as AppResponse));
}

/** Without scheme and host, which a proxy may send (RFC 9112 §3.2.2). */
function targetOf(url: string): string {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '');
}

/** Logs a failure. @returns what the client is told of it */
function reported(log: Log, thrown: unknown, { headersSent, locals: { requestId } }: AppResponse): ApiError {
  const error = inClientTerms(thrown);
  if (headersSent) {
    const level = error instanceof ApiError ? 'debug' : 'error';
    log[level]({ err: error, requestId }, 'failed after the reply had begun');
  } else if (error instanceof ApiError) {
    // Problems of the machine are for its owner to see, mistakes of clients are not.
    const level = error.status >= 500 ? 'warn' : 'debug';
    if (error.cause !== undefined) log[level]({ err: error.cause, requestId }, error.code);
  } else {
    log.error({ err: error, requestId }, 'unexpected failure');
  }
  return error instanceof ApiError ? error : new ApiError('internal_error', t('api.service.internal'));
}
