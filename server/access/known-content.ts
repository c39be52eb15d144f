import { type Caller, rightsOf } from './caller.ts';
import { isPermitted, type ShareRights } from './rights.ts';

/**
 * Whether a caller may learn what confirms a guess of a content, such as its hash. Only an account that may download the content
 * with the credential of this request may: a visitor could try guesses unnoticed, and so could an app that is only to list files.
 * @param share that the content is reached through; null in the caller's own home
 */
export function mayKnowContent(caller: Caller, share: ShareRights | null): boolean {
  if (caller.account === undefined) return false;
  const rights = rightsOf(caller);
  const hasScope = rights.credential === null || rights.credential.scopes.has('download');
  return hasScope && isPermitted(rights, share, 'files/download');
}
