import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AccountCaller } from '../access/caller.ts';
import type { Homes } from '../catalogue/homes.ts';
import type { UploadContext } from '../files/upload/context.ts';
import { KEPT_DAYS } from '../files/upload/expire-uploads.ts';
import { DAY } from '../lib/clock.ts';
import type { Principal } from '../oauth/bearer.ts';
import type { Scope } from '../oauth/scopes.ts';

/** What the protocol works with. */
export interface TusContext extends UploadContext {
  readonly homes: Pick<Homes, 'byId'>;
  /** Of the installation, before `/tus/`. */
  readonly basePath: string;
  /**
   * @param begunAt null when the request begins; later the time when it began
   * @throws ApiError when the request may not upload
   */
  readonly authenticate: (
    request: IncomingMessage,
    needs: { readonly scopes: readonly Scope[] },
    begunAt: number | null,
  ) => Promise<Principal>;
  /**
   * Notified of every request that may be made, before it is.
   * @param isAllowed checks again whether it may be made
   */
  readonly onCall: (caller: AccountCaller, response: ServerResponse, isAllowed: () => Promise<boolean>) => void;
}

/** A request that may upload. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly principal: Principal;
  /** Authenticates again, after the content has arrived. @throws ApiError when the token or the account has ended meanwhile */
  readonly confirm: () => Promise<Principal>;
}

/** Answers without content. */
export function sendEmpty(response: ServerResponse, status: number): void {
  if (response.headersSent) return;
  response.statusCode = status;
  if (status !== 204) response.setHeader('Content-Length', '0');
  response.end();
}

/**
 * Says where an upload continues, and when it expires unless it is complete.
 * @param updatedAt when its last chunk arrived, in milliseconds since the epoch
 */
export function setProgress(
  response: ServerResponse,
  { offset, length, updatedAt }: { offset: number; length: number; updatedAt: number },
): void {
  response.setHeader('Upload-Offset', String(offset));
  if (offset === length) return;
  response.setHeader('Upload-Expires', new Date(updatedAt + KEPT_DAYS * DAY).toUTCString());
}
