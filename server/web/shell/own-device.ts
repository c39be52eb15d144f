import { parse } from 'cookie';
import type { Request, Response } from 'express';
import { DAY } from '../../lib/clock.ts';

/**
 * Holds the id of the account whose person has said that this device is theirs. It proves nothing, and gives no access: it only
 * says that this browser may keep the lists that this account has seen.
 */
const OWN_DEVICE_COOKIE = '__Host-larder-own-device';
const COOKIE = { httpOnly: true, secure: true, sameSite: 'lax', path: '/' } as const;
/** Browsers keep cookies no longer. */
const KEPT = 400 * DAY;

/**
 * Below the prefix. Every change leads through this address: the service worker of the file pages sees only requests below
 * `/files`, and asks with this one what holds now.
 */
export const DEVICE_CHANGED = '/files/device';

/** The account whose device this is; null for a device of nobody. */
export function ownDeviceOf({ headers }: Pick<Request, 'headers'>): number | null {
  const value = parse(headers.cookie ?? '')[OWN_DEVICE_COOKIE];
  return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : null;
}

export function rememberOwnDevice(response: Response, accountId: number): void {
  response.cookie(OWN_DEVICE_COOKIE, String(accountId), { ...COOKIE, maxAge: KEPT });
}

export function forgetOwnDevice(response: Response): void {
  response.clearCookie(OWN_DEVICE_COOKIE, COOKIE);
}

/** Redirects to a page of ours by way of the worker. @param next with the prefix */
export function continueByWorker(response: Response, basePath: string, next: string, isSignedOut = false): void {
  // The worker looks for `ended`: worker.ts.
  const query = new URLSearchParams({ next, ...(isSignedOut ? { ended: '1' } : {}) });
  response.redirect(303, `${basePath}${DEVICE_CHANGED}?${query}`);
}
