import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { compile } from 'proxy-addr';

/** Whether what an address says about those behind it counts. */
export type TrustsProxy = (address: string, hop: number) => boolean;

/**
 * @param proxies addresses and networks (`192.168.1.2`, `10.0.0.0/8`, `fd00::/8`), asked each time
 */
export function trustIn(proxies: () => readonly string[]): TrustsProxy {
  let known: readonly string[] = [];
  let trusts: TrustsProxy = () => false;
  return (address, hop) => {
    const named = proxies();
    if (named !== known) {
      known = named;
      trusts = named.length === 0 ? () => false : compile([...named]);
    }
    return trusts(address, hop);
  };
}

/**
 * Who asks: the other end of the connection or, where that is a proxy that the owner named, whom the proxy says it asks for
 * (`X-Forwarded-For`). From everybody else that header counts for nothing.
 */
export function addressOf(
  request: Pick<IncomingMessage, 'socket'> & { readonly ip?: string | undefined },
): string | null {
  const { ip } = request;
  // A proxy that passes on what it was told may pass on anything.
  if (ip !== undefined && isIP(ip.replace(/%.*$/, '')) !== 0) return ip;
  return request.socket.remoteAddress ?? null;
}
