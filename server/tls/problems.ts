import { DAY } from '../lib/clock.ts';
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
    if (now > current.notAfter) problems.push(`Your own certificate (own.crt) expired on ${day(current.notAfter)}.`);
    else if (now > current.notAfter - RENEWAL) {
      problems.push(
        `Your own certificate (own.crt) ends on ${day(current.notAfter)}: replace own.crt and own.key soon.`,
      );
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
    return `"${given}" (--name) is neither a host name nor an address, so it is not in the certificate: correct it.`;
  }
  if (state.covers(name)) return undefined;
  const own = `a certificate of your own for it (own.crt and own.key in ${state.folder})`;
  if (state.current.source === 'own') {
    return `"${given}" (--name) is not in your own certificate: browsers will refuse it there. Use ${own}.`;
  }
  if (state.authority.permits(name)) return undefined;
  return (
    `"${given}" (--name) is not in the certificate: the household authority was made without it and devices would not ` +
    `accept it from there. Use ${own}, or stop the server and move ca.crt and ca.key away: the next start makes a new ` +
    'authority with this name, which every device has to trust anew.'
  );
}

function authorityProblems({ notBefore, notAfter }: Authority, now: number): string[] {
  const anew =
    'Stop the server and move ca.crt and ca.key away: the next start makes a new one, which every device has to trust.';
  if (now < notBefore) {
    return [`The household authority is valid only from ${day(notBefore)}: check the date and time of this machine.`];
  }
  if (now > notAfter) return [`The household authority expired on ${day(notAfter)}. ${anew}`];
  if (now > notAfter - AUTHORITY_NOTICE) return [`The household authority ends on ${day(notAfter)}. ${anew}`];
  return [];
}
