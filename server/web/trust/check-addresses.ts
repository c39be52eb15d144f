import { isIP } from 'node:net';
import { isLoopbackHost } from '../../lib/loopback-host.ts';

/** How many other addresses a browser tries at most. */
const MOST = 4;

/**
 * The addresses at which a browser checks whether it trusts the certificate: other names of it than the one it already used, for
 * which it may have stored an exception. The address at which the connection arrived comes first, because the browser reached it.
 * Without IPv6, which policies of pages cannot name (CSP Level 3 §2.3.1).
 * @param addresses of the server that are reachable, with `https:` and port
 * @param used the Host header of the page; empty for a request without one
 * @param arrivedAt local address of the connection
 * @param covers whether the certificate covers a host
 * @returns origins, the best first; empty when the page was reached through another port than ours, such as a proxy's
 */
export function checkOrigins({
  addresses,
  used,
  arrivedAt,
  covers,
}: {
  addresses: readonly string[];
  used: string;
  arrivedAt: string | undefined;
  covers: (host: string) => boolean;
}): readonly string[] {
  const [first] = addresses;
  if (first === undefined || !URL.canParse(`https://${used}`)) return [];
  const { port } = new URL(first);
  const page = new URL(`https://${used}`);
  if (page.port !== port) return [];
  const here = (arrivedAt ?? '').replace(/^::ffff:/, '');
  // Elsewhere, `localhost` is the visitor's own computer.
  const isHere = isLoopbackHost(here);
  const names = isHere
    ? ['localhost', '127.0.0.1'].filter(covers)
    : addresses.map((address) => new URL(address).hostname).filter((name) => !isLoopbackHost(name));
  const rank = (name: string) => (name === here ? 0 : isIP(name) === 0 ? 1 : 2);
  return [...new Set(names)]
    .filter((name) => name !== page.hostname && !name.startsWith('['))
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, MOST)
    .map((name) => (port === '' ? `https://${name}` : `https://${name}:${port}`));
}
