import https from 'node:https';
import { SECOND } from '../../lib/clock.ts';
import { randomToken } from '../../lib/random.ts';
import { hostOfAddress } from './hosts.ts';

/** What this server found when it called itself at the address. */
type OutsideVerdict =
  /** It is this server, and its certificate is valid for everyone. */
  | { readonly verdict: 'reached' }
  /** It is this server, but visitors get a warning. */
  | { readonly verdict: 'warned'; readonly reason: string }
  /** Something else replies. */
  | { readonly verdict: 'other' }
  /** Nothing replies. Routers often do not lead calls from inside back inside. */
  | { readonly verdict: 'unreachable'; readonly reason: string };

export interface OutsideAddress {
  /** The address with which others reach this server from everywhere, without a slash at its end; null if there is none. */
  current(): string | null;
  /**
   * Whether requests with this host are for us: once the address was confirmed, and during a check only at the check's own path.
   * @param host in lower case, without port
   * @param target of the request, as sent
   */
  isKnownHost(host: string, target: string): boolean;
  /** Whether this is the token of a check that is running. */
  isChecking(token: string): boolean;
  /** Calls this server at the address. @param address with `https:`, and the prefix of the installation */
  check(address: string): Promise<OutsideVerdict>;
}

interface OutsideAddressParts {
  readonly settings: () => { readonly baseUrl: string; readonly baseUrlConfirmed: boolean };
  readonly basePath: string;
  /** Certificate authorities (PEM) that are trusted in place of those of Node, such as a company’s. */
  readonly authorities: readonly string[] | undefined;
}

const TIMEOUT = 10 * SECOND;

/** Errors of a certificate that this computer does not accept; the others are of the network. */
const CERTIFICATE_ERRORS = /CERT|SIGNED|ISSUER|ALTNAME|UNABLE_TO_VERIFY/;

/** The household's address on the internet, if it has one, and its check. */
export function createOutsideAddress({ settings, basePath, authorities }: OutsideAddressParts): OutsideAddress {
  /** Hosts that are being checked, by token. */
  const checks = new Map<string, string>();
  const path = (token: string) => `/trust/reach/${token}`;

  async function call(address: string, isStrict: boolean): Promise<'reached' | 'other'> {
    const token = randomToken();
    const host = hostOfAddress(address);
    if (host !== null) checks.set(token, host);
    try {
      const reply = await textAt(`${address}${path(token)}`, { isStrict, authorities });
      return reply === token ? 'reached' : 'other';
    } finally {
      checks.delete(token);
    }
  }

  return {
    current() {
      const { baseUrl, baseUrlConfirmed } = settings();
      return baseUrl === '' || !baseUrlConfirmed ? null : baseUrl.replace(/\/$/, '');
    },
    isKnownHost(host, target) {
      const { baseUrl, baseUrlConfirmed } = settings();
      if (baseUrlConfirmed && host === hostOfAddress(baseUrl)) return true;
      for (const [token, checked] of checks) {
        if (checked === host && target === `${basePath}${path(token)}`) return true;
      }
      return false;
    },
    isChecking: (token) => checks.has(token),
    async check(given) {
      const address = given.replace(/\/$/, '');
      try {
        return { verdict: await call(address, true) };
      } catch (error) {
        const { code = '', message } = error as NodeJS.ErrnoException;
        if (!CERTIFICATE_ERRORS.test(code)) return { verdict: 'unreachable', reason: message || code };
        const found = await call(address, false).catch(() => 'other' as const);
        return found === 'reached' ? { verdict: 'warned', reason: message } : { verdict: 'other' };
      }
    },
  };
}

/** The first kilobyte of a reply, which is all that a check looks at. */
function textAt(
  address: string,
  { isStrict, authorities }: { isStrict: boolean; authorities: readonly string[] | undefined },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = https.get(address, {
      agent: false,
      rejectUnauthorized: isStrict,
      signal: AbortSignal.timeout(TIMEOUT),
      ...(authorities === undefined ? {} : { ca: [...authorities] }),
    });
    request.on('error', reject);
    request.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        if (text.length > 1_024) response.destroy();
      });
      response.on('close', () => resolve(text));
      response.on('error', reject);
    });
  });
}
