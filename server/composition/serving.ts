import { createRemotePanel } from '../control/panel/remote-panel.ts';
import { honouredHeaders } from '../http/bind.ts';
import { trustIn } from '../http/connection/client-address.ts';
import { openApiDocument } from '../http/openapi.ts';
import { version } from '../lib/version.ts';
import { discovery } from '../oauth/discovery.ts';
import { revocationEndpoint } from '../oauth/revocation-endpoint.ts';
import { SCOPES } from '../oauth/scopes.ts';
import { tokenEndpointInTime } from '../oauth/token-endpoint-in-time.ts';
import type { OpenedParts } from './opened.ts';
import { createApp } from './serving/app.ts';
import { type NetworkOptions, openNetwork } from './serving/network.ts';
import { composeOperations } from './serving/operations.ts';
import { composeProtocols } from './serving/protocols.ts';
import { composePages } from './serving/web.ts';

export type Serving = Awaited<ReturnType<typeof openServing>>;

/** All opened parts below what the owner may do. */
export interface OpenedServer extends OpenedParts {
  readonly serving: Serving;
}

/** Everything that answers requests, and the listeners for them, which open later. @throws an Error that names a damaged file */
export async function openServing(opened: OpenedParts, options: NetworkOptions) {
  const { base, storage, identity, files, sharing } = opened;
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
  const { removeOldTusRecords, ...protocols } = composeProtocols(opened, {
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
    pages: composePages(opened, network).household,
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
