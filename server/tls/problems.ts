import { DAY } from '../lib/clock.ts';
import { t } from '../messages/messages.ts';
import type { Authority } from './authority.ts';
import { day } from './details.ts';
import { RENEWAL } from './household-certificate.ts';
import { certificateName } from './names.ts';
import type { ServerCertificate } from './server-certificate.ts';

/** A new authority has to be installed on every device, so the owner is warned half a year before. */
const AUTHORITY_NOTICE = 180 * DAY;

/** Problems of the certificates for the owner, a few sentences each; empty when all is well. */
export function certificateProblems(state: {
  folder: string;
  extraNames: readonly string[];
  current: ServerCertificate;
  covers(host: string): boolean;
  authority: Authority;
  now: number;
}): string[] {
  const { current, authority, now } = state;
  const problems: string[] = [];
  if (current.source === 'own') {
    if (now > current.notAfter) problems.push(t('api.tls.ownHasExpired', { date: day(current.notAfter) }));
    else if (now > current.notAfter - RENEWAL) {
      problems.push(t('api.tls.ownExpires', { date: day(current.notAfter) }));
    }
  }
  for (const name of state.extraNames) {
    const problem = nameProblem(name, state);
    if (problem !== undefined) problems.push(problem);
  }
  return [...problems, ...authorityProblems(authority, now)];
}

function nameProblem(
  given: string,
  state: { folder: string; current: ServerCertificate; covers(host: string): boolean; authority: Authority },
): string | undefined {
  const name = certificateName(given);
  if (name === undefined) {
    return t('api.tls.nameInvalid', { name: given });
  }
  if (state.covers(name)) return undefined;
  if (state.current.source === 'own') {
    return t('api.tls.nameNotInOwn', { name: given, folder: state.folder });
  }
  if (state.authority.permits(name)) return undefined;
  return t('api.tls.nameNotPermitted', { name: given, folder: state.folder });
}

function authorityProblems({ notBefore, notAfter }: Authority, now: number): string[] {
  if (now < notBefore) {
    return [t('api.tls.authorityNotYet', { date: day(notBefore) })];
  }
  if (now > notAfter) return [t('api.tls.authorityExpired', { date: day(notAfter) })];
  if (now > notAfter - AUTHORITY_NOTICE) return [t('api.tls.authorityExpires', { date: day(notAfter) })];
  return [];
}
