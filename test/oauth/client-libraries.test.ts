import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { AddressInfo } from 'node:net';
import express from 'express';
import * as openid from 'openid-client';
import passport from 'passport';
import OAuth2Strategy from 'passport-oauth2';
import type { Browser } from 'playwright-core';
import { AuthorizationCode } from 'simple-oauth2';
import { Agent, fetch as undiciFetch } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { t } from '../../dist/server/messages/messages.js';
import { launchBrowser } from '../support/browser/browser.ts';
import { visit } from '../support/browser/page.ts';
import { type Household, OWNER, openHousehold } from '../support/households/household.ts';
import { closeServer } from '../support/system/close-server.ts';

let browser: Browser;
let household: Household;
let issuer = '';

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  issuer = `https://127.0.0.1:${household.port}`;
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

/** An app of its own: a real server on this machine, registered as a client with its address. */
async function openApp(name: string, handler: (request: IncomingMessage, response: ServerResponse) => void) {
  const server: Server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const callback = `${origin}/callback`;
  const added = await household.control('clients.add', { name, redirectUris: [callback] });
  return { server, origin, callback, id: String(added.clientId), secret: String(added.clientSecret) };
}

/** What a person does: opens the app's address, signs in, allows. @returns where it ended, once the app shows something */
async function allow(start: string, name: string): Promise<URL> {
  const { page, context } = await visit(browser);
  await page.goto(start);
  await page.getByLabel(t('signIn.username')).fill(OWNER.username);
  await page.getByLabel(t('signIn.password')).fill(OWNER.password);
  await page.getByRole('button', { name: t('signIn.submit') }).click();
  await page.getByRole('heading', { name: t('consent.heading', { app: name }) }).waitFor();
  await page.getByRole('button', { name: t('consent.allow') }).click();
  await page.getByText('the app says').waitFor();
  const url = new URL(page.url());
  await context.close();
  return url;
}

async function usernameOf(token: string): Promise<unknown> {
  const { body } = await household.api.send('GET', '/api.php/account/info', {
    headers: { authorization: `Bearer ${token}` },
  });
  return body.username;
}

describe('unmodified client libraries', () => {
  it('openid-client: discovery, PKCE, state, refresh, revocation', async () => {
    const app = await openApp('Openid', (_, response) => response.end('the app says hello'));
    const dispatcher = new Agent({ connect: { ca: household.ca } });
    const config = await openid.discovery(new URL(issuer), app.id, app.secret, undefined, {
      algorithm: 'oauth2',
      [openid.customFetch]: (url: string, options: object) =>
        undiciFetch(url, { ...options, dispatcher }) as unknown as Promise<Response>,
    });
    const verifier = openid.randomPKCECodeVerifier();
    const state = openid.randomState();
    const start = openid.buildAuthorizationUrl(config, {
      redirect_uri: app.callback,
      scope: 'profile list',
      state,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const back = await allow(start.href, 'Openid');
    const token = await openid.authorizationCodeGrant(config, back, {
      pkceCodeVerifier: verifier,
      expectedState: state,
    });
    expect(await usernameOf(token.access_token)).toBe(OWNER.username);
    const fresh = await openid.refreshTokenGrant(config, token.refresh_token ?? '');
    expect(await usernameOf(fresh.access_token)).toBe(OWNER.username);
    await openid.tokenRevocation(config, fresh.refresh_token ?? '');
    await expect(openid.refreshTokenGrant(config, fresh.refresh_token ?? '')).rejects.toThrow();
    expect(await usernameOf(fresh.access_token)).toBeUndefined();
    await closeServer(app.server);
    await dispatcher.close();
  });

  it('simple-oauth2', async () => {
    const app = await openApp('Simple', (_, response) => response.end('the app says hello'));
    const agent = new HttpsAgent({ ca: household.ca });
    const client = new AuthorizationCode({
      client: { id: app.id, secret: app.secret },
      auth: {
        tokenHost: issuer,
        tokenPath: '/oauth2/token/',
        authorizePath: '/oauth2/authorize/',
        revokePath: '/oauth2/revoke/',
      },
      http: { agent } as object,
    });
    const start = client.authorizeURL({ redirect_uri: app.callback, scope: ['profile', 'list'], state: 'abc' });
    const back = await allow(start, 'Simple');
    expect(back.searchParams.get('state')).toBe('abc');
    const token = await client.getToken({ code: back.searchParams.get('code') ?? '', redirect_uri: app.callback });
    expect(await usernameOf(String(token.token.access_token))).toBe(OWNER.username);
    expect(token.expired()).toBe(false);
    const fresh = await token.refresh();
    expect(await usernameOf(String(fresh.token.access_token))).toBe(OWNER.username);
    await fresh.revokeAll();
    expect(await usernameOf(String(fresh.token.access_token))).toBeUndefined();
    await closeServer(app.server);
    agent.destroy();
  });

  it('passport-oauth2, in an app of Express', async () => {
    const web = express();
    const app = await openApp('Passport', web as never);
    let signedIn = '';
    const agent = new HttpsAgent({ ca: household.ca });
    const strategy = new OAuth2Strategy(
      {
        authorizationURL: `${issuer}/oauth2/authorize/`,
        tokenURL: `${issuer}/oauth2/token/`,
        clientID: app.id,
        clientSecret: app.secret,
        callbackURL: app.callback,
        scope: ['profile'],
      },
      (accessToken: string, _refresh: string, _profile: unknown, done: OAuth2Strategy.VerifyCallback) => {
        signedIn = accessToken;
        done(null, { id: 1 });
      },
    );
    (strategy as unknown as { _oauth2: { setAgent(agent: HttpsAgent): void } })._oauth2.setAgent(agent);
    web.use(passport.initialize());
    web.get('/login', passport.authenticate(strategy, { session: false }));
    web.get('/callback', passport.authenticate(strategy, { session: false }), (_, response) => {
      response.send('the app says hello');
    });
    await allow(`${app.origin}/login`, 'Passport');
    expect(await usernameOf(signedIn)).toBe(OWNER.username);
    await closeServer(app.server);
    agent.destroy();
  });
});
