import { createRemotePanel } from '../control/panel/remote-panel.ts';
import { honouredHeaders } from '../http/bind.ts';
import { trustIn } from '../http/connection/client-address.ts';
import { openApiDocument } from '../http/openapi.ts';
import { version } from '../lib/version.ts';
import { discovery } from '../oauth/discovery.ts';
import { revocationEndpoint } from '../oauth/revocation-endpoint.ts';
import { SCOPES } from '../oauth/scopes.ts';
import { tokenEndpointInTime } from '../oauth/token-endpoint-in-time.ts';
import { createApp } from './app.ts';
import type { Base } from './base.ts';
import type { Files } from './files.ts';
import type { Identity } from './identity.ts';
import { type NetworkOptions, openNetwork } from './network.ts';
import { composeOperations } from './operations.ts';
import { composeProtocols } from './protocols.ts';
import type { Sharing } from './sharing.ts';
import type { Storage } from './storage.ts';
import { composePages } from './web.ts';

export type Serving = Awaited<ReturnType<typeof openServing>>;

/** Everything that answers requests, and the listeners for them, which open later. @throws an Error that names a damaged file */
export async function openServing(
  base: Base,
  storage: Storage,
  identity: Identity,
  files: Files,
  sharing: Sharing,
  options: NetworkOptions,
) {
  const { log, closers } = base;
  const { basePath } = base.config;
  const { settings, stalls } = storage;
  const network = await openNetwork(base, storage, identity, options);
  const { certificates, isOwnHost, isKnownHost } = network;
  const operations = composeOperations(files, sharing, basePath);
  const openApi = openApiDocument(operations, {
    title: 'Larder',
    version,
    scopes: SCOPES,
    apiPath: '/api.php',
    authorizationPath: '/oauth2/authorize/',
    tokenPath: '/oauth2/token/',
    basePath,
  });
  const { removeOldTusRecords, ...protocols } = composeProtocols(base, storage, identity, files, sharing, {
    operations,
    isOwnHost,
  });
  const panel = createRemotePanel({ ...base, ...storage, ...identity });
  closers.add('remote panel', () => panel.close());
  let isStopping = false;
  const isApiEnabled = () => settings.values.apiEnabled;
  const app = createApp({
    log,
    basePath,
    trustsProxy: trustIn(() => settings.values.trustedProxies),
    isApiEnabled,
    allows: (protocol) => settings.values[protocol],
    isStopping: () => isStopping,
    throttle: storage.throttle,
    allowsHttp: () => settings.values.httpTesting,
    isKnownHost,
    openApi,
    stalledDisks: () => stalls.count,
    authority: () => certificates.authority.pem,
    honouredHeaders: honouredHeaders(operations),
    ...protocols,
    token: tokenEndpointInTime({ ...base, ...identity, isApiEnabled }),
    revoke: revocationEndpoint(identity),
    discovery,
    pages: composePages(base, storage, identity, files, sharing, network).household,
    panel: panel.handle,
  });
  return {
    ...network,
    app,
    panel,
    operations,
    openApi,
    removeOldTusRecords,
    /** Refuses new requests, and ends what clients listen to as long as they like. */
    stopRequests() {
      isStopping = true;
      panel.close();
    },
  };
}
