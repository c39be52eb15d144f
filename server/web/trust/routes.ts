import express, { type Request, type Response, type Router } from 'express';
import { isFromHome } from '../../http/connection/at-home.ts';
import { addressOf } from '../../http/connection/client-address.ts';
import type { FailedHandshakes } from '../../http/connection/failed-handshakes.ts';
import { ownAddress } from '../../http/connection/hosts.ts';
import type { OutsideAddress } from '../../http/connection/outside-address.ts';
import { t } from '../../messages/messages.ts';
import type { Certificates } from '../../tls/certificates.ts';
import type { PageAssets } from '../shell/assets/page-assets.ts';
import { householdPage } from '../shell/layout.ts';
import { queryOf, sendPage } from '../shell/page-context.ts';
import { qrCode } from '../shell/qr-code.ts';
import { checkOrigins } from './check-addresses.ts';
import { compareNumber } from './number.ts';
import { trustPage } from './page.ts';
import { PROFILE_TYPE, trustProfile } from './profile.ts';
import { systemIn, systemOf } from './systems.ts';

export interface TrustPagesParts {
  readonly basePath: string;
  readonly assets: PageAssets;
  readonly householdName: () => string;
  readonly certificates: Pick<Certificates, 'authority' | 'covers' | 'current'>;
  readonly failedHandshakes: FailedHandshakes;
  readonly outside: Pick<OutsideAddress, 'isChecking'>;
  /** Whether apps made for Nextcloud can connect. */
  readonly allowsApps: () => boolean;
  /** The reachable addresses of this server, with `https:` and port. */
  readonly addresses: () => readonly string[];
  /** Those of this machine's networks. */
  readonly lanAddresses: () => readonly string[];
}

/** A transparent pixel. A picture is what a page may load from another name of the server without asking it first (CORS). */
const PICTURE = Buffer.from('R0lGODlhAQABAIAAAAAAAAAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

/** "Add a device": how a device learns to trust this server. For anyone at home, without signing in. Addresses are below `/trust`. */
export function trustPages(parts: TrustPagesParts): Router {
  const { certificates, failedHandshakes, lanAddresses, outside } = parts;
  const router = express.Router({ caseSensitive: true });

  router.get('/', async (request, response) => {
    const shown = await pageFor(parts, request);
    response.setHeader('Content-Security-Policy', policyFor(shown.origins));
    sendPage(response, 200, shown.text);
  });

  router.get('/larder.mobileconfig', async (_request, response) => {
    const profile = await trustProfile({ household: parts.householdName(), pem: certificates.authority.pem });
    noStore(response).type(PROFILE_TYPE).send(profile);
  });

  router.get('/picture.gif', (_request, response) => {
    // Every check needs a handshake of its own: a connection that stays open would say nothing about the certificate.
    noStore(response).set({ Connection: 'close', 'Cross-Origin-Resource-Policy': 'cross-origin' });
    response.type('gif').send(PICTURE);
  });

  // This server calls itself here at its address on the internet.
  router.get('/reach/:token', (request, response, next) => {
    const { token } = request.params;
    if (!outside.isChecking(token)) return next();
    noStore(response).type('text').send(token);
  });

  // A browser that refuses our certificate makes no request. Its page learns here that the failure reached us.
  router.get('/handshakes', (request, response) => {
    const counts = isFromHome(request, lanAddresses()) ? failedHandshakes.of(addressOf(request)) : null;
    noStore(response).json(counts ?? { refused: 0, ended: 0 });
  });
  return router;
}

function noStore(response: Response): Response {
  return response.set('Cache-Control', 'no-store');
}

async function pageFor(
  { basePath, assets, householdName, certificates, addresses, lanAddresses, allowsApps }: TrustPagesParts,
  request: Request,
): Promise<{ text: string; origins: readonly string[] }> {
  const query = queryOf(request);
  const one = (name: string) => (typeof query[name] === 'string' ? query[name] : '');
  const atHome = isFromHome(request, lanAddresses());
  const chosen = systemIn(one('on'));
  const detected = systemOf(request.headers['user-agent'] ?? '');
  const address = `${ownAddress(request)}${basePath}/trust`;
  const { covers, authority } = certificates;
  // Callers from outside learn no private address.
  const origins = atHome
    ? checkOrigins({
        addresses: addresses(),
        used: request.headers.host ?? '',
        arrivedAt: request.socket.localAddress,
        covers,
      })
    : [];
  const household = householdName();
  const content = trustPage({
    ...{ basePath, household, address, origins, detected },
    shown: chosen ?? detected ?? 'windows',
    isChosen: chosen !== null,
    entered: one('number').slice(0, 200),
    comparison: compareNumber(one('number').slice(0, 200), authority.fingerprint),
    appsAddress: allowsApps() ? `${ownAddress(request)}${basePath}` : null,
    hasArrived: one('checked') === '1',
    isFromHome: atHome,
    isOwnCertificate: certificates.current().source === 'own',
    qr: await qrCode(address, t('trust.qr.label')),
  });
  const title = t('page.title', { page: t('trust.heading'), household });
  const text = householdPage({
    title,
    assets,
    basePath,
    household,
    content,
    head: assets.load('trustStyles', 'trust'),
  });
  return { text, origins };
}

/** The live check loads a picture from other names of this server. */
function policyFor(origins: readonly string[]): string {
  return [
    "default-src 'none'",
    ...['script-src', 'style-src', 'connect-src', 'form-action'].map((name) => `${name} 'self'`),
    ["img-src 'self'", ...origins].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
