import type { ServerResponse } from 'node:http';
import { ApiError } from '../http/errors.ts';
import { sendBody } from '../http/response/send-buffer.ts';
import { DAV, escapeXml, SABRE } from './xml/xml-tree.ts';

/** A failure with the XML element that tells clients which condition was not met (RFC 4918 §16). */
export class DavError extends ApiError {
  readonly condition: string;

  /** @param condition content of the `error` element, with the prefix `d` */
  constructor(code: ApiError['code'], message: string, condition: string) {
    super(code, message);
    this.condition = condition;
  }
}

/** Statuses that differ from those of the API: the standard prescribes them for WebDAV, or programs expect them. */
const STATUSES: Readonly<Partial<Record<ApiError['code'], number>>> = {
  // RFC 4918 §9.6.1, §9.8.5, §9.9.4: what cannot be changed by anyone.
  invalid_path: 403,
  // Programs show 403 as "not allowed here", and try again after 400.
  invalid_name: 403,
  // As ownCloud and Nextcloud answer a wrong `OC-Checksum`.
  digest_mismatch: 400,
};

/**
 * Sends a failure as WebDAV clients expect it: the status, and a message that several of them show.
 * @param href of the request, for the elements that name a resource
 */
export function sendDavFailure(response: ServerResponse, error: ApiError, href: string): void {
  if (response.headersSent) return;
  // The body of a refusal is another content.
  response.removeHeader('OC-Checksum');
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
  response.statusCode = STATUSES[error.code] ?? error.status;
  response.setHeader('Content-Type', 'application/xml; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  const body = [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<d:error xmlns:d="${DAV}" xmlns:s="${SABRE}">`,
    conditionOf(error, href),
    `<s:exception>${escapeXml(error.code)}</s:exception>`,
    `<s:message>${escapeXml(error.message)}</s:message></d:error>`,
  ].join('');
  void sendBody(response, body);
}

/** @param href of what is locked */
export function lockTokenSubmitted(href: string): string {
  return `<d:lock-token-submitted><d:href>${escapeXml(href)}</d:href></d:lock-token-submitted>`;
}

function conditionOf(error: ApiError, href: string): string {
  if (error instanceof DavError) return error.condition;
  if (error.code === 'locked') return lockTokenSubmitted(href);
  // RFC 4331 §6.
  if (error.code === 'quota_exceeded') return '<d:quota-not-exceeded/>';
  if (error.code === 'disk_full') return '<d:sufficient-disk-space/>';
  return '';
}

/** For a method whose folder does not exist: RFC 4918 §9.3.1, §9.7.1, §9.8.5. */
export async function missingFolderAsConflict<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') {
      throw new ApiError('conflict', error.message, { cause: error });
    }
    throw error;
  }
}
