import type { IncomingMessage } from 'node:http';
import { usesHttps } from './client-address.ts';

/**
 * The host of a Host header, without port and brackets, in lower case.
 * @returns null for a header that no client of ours sends
 */
export function hostOf(header: string | undefined): string | null {
  if (header === undefined) return null;
  const match = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:/?#@\s[\]]+))(?::\d{1,5})?$/.exec(header);
  return (match?.[1] ?? match?.[2])?.toLowerCase() ?? null;
}

/**
 * The same of a request's target, where that is a whole address (RFC 9112 §3.2.2).
 * @returns undefined for a target that is only a path
 */
export function hostOfTarget(target: string | undefined): string | null | undefined {
  const authority = /^https?:\/\/([^/?#]*)/i.exec(target ?? '')?.[1];
  return authority === undefined ? undefined : hostOf(authority);
}

/** The address the client used, behind a trusted proxy too: the Host header was checked against our names first. */
export function ownAddress(request: IncomingMessage): string {
  const isSecure = usesHttps(request) || ('encrypted' in request.socket && request.socket.encrypted === true);
  return `${isSecure ? 'https' : 'http'}://${request.headers.host}`;
}

/** The host of an address, without its port, in lower case; null for an empty address. */
export function hostOfAddress(address: string): string | null {
  return address === '' ? null : new URL(address).hostname.toLowerCase();
}
