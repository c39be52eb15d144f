import type { IncomingMessage } from 'node:http';
import { ownAddress } from '../../http/connection/hosts.ts';
import type { OutsideAddress } from '../../http/connection/outside-address.ts';
import type { Certificates } from '../../tls/certificates.ts';

/** Where the links that people create work. */
export interface LinkPlace {
  /** What links begin with: the address on the internet or, without one, the address that the visitor uses. No slash at its end. */
  readonly address: string;
  readonly reach: 'everywhere' | 'home';
  /** Whether browsers of visitors show a warning: their devices know nothing of the household's authority. */
  readonly isWarned: boolean;
}

export function linkPlaceOf(
  request: IncomingMessage,
  {
    outside,
    certificates,
    basePath,
  }: { outside: Pick<OutsideAddress, 'current'>; certificates: Pick<Certificates, 'current'>; basePath: string },
): LinkPlace {
  const address = outside.current();
  if (address !== null) return { address, reach: 'everywhere', isWarned: false };
  const isWarned = certificates.current().source === 'household';
  return { address: `${ownAddress(request)}${basePath}`, reach: 'home', isWarned };
}
