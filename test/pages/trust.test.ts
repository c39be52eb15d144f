import { X509Certificate } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import plist from 'plist';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { trustAddress } from '../../dist/renderer-modules/parts/trust/trust-address.js';
import { SYSTEM_NAMES } from '../../dist/server/web/trust/systems.js';
import { launchBrowser, launchCheckingBrowser } from '../support/browser/browser.ts';
import { inspect, visit } from '../support/browser/page.ts';
import { itInFull } from '../support/forms.ts';
import { type Household, openHousehold } from '../support/households/household.ts';
import { t } from '../support/server-texts.ts';
import { AGENTS, nextCertificate, passWarning } from './trust-support.ts';

const NAME = 'Tom & <b>Mia</b>’s “house”';

let browser: Browser;
let household: Household;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await household.control('settings.update', { householdName: NAME });
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

const address = (path = '/trust', host = '127.0.0.1') => `https://${host}:${household.port}${path}`;
const state = (page: Page, name: string) => page.locator(`[data-state=${name}]`);
const number = async () => (await household.control('status')).authorityFingerprint as string;

/** The complaints of a page, without those that the check itself causes. */
const grave = (complaints: readonly string[]) => complaints.filter((text) => !text.includes('picture.gif'));

describe('adding a device', () => {
  it('shows live when a device starts to trust the server', async () => {
    const next = await nextCertificate(household);
    // What stands for the step on the device: it trusts the certificate that the server will use.
    const checking = await launchCheckingBrowser([`--ignore-certificate-errors-spki-list=${next.publicKeyHash}`]);
    try {
      const { page, context } = await visit(checking, { userAgent: AGENTS.windows });
      await passWarning(household, page, address(''));
      await page.goto(address());
      await state(page, 'untrusted').waitFor();
      await inspect(page, 'trust-untrusted');
      await next.use();
      await page.getByRole('heading', { name: t('trust.done.heading', { device: 'computer' }) }).waitFor();
      await inspect(page, 'trust-done');
      await page.getByText(t('trust.done.another')).click();
      await page.getByRole('heading', { name: t('trust.heading') }).waitFor();
      await page.getByRole('link', { name: t('trust.done.open') }).click();
      await page.waitForURL(address('/files/'));
      await context.close();
    } finally {
      await checking.close();
      await next.remove();
    }
  });

  itInFull('shows if the server cannot be reached', async () => {
    const { page, context } = await visit(browser);
    await page.route('**/trust/handshakes', (route) => route.abort('internetdisconnected'));
    await page.goto(address());
    await state(page, 'unreachable').waitFor();
    await context.close();
  });

  it('shows the steps of the visitor’s own device first', async () => {
    for (const [name, agent] of Object.entries(AGENTS)) {
      const { status, text } = await household.api.send('GET', '/trust', { headers: { 'user-agent': agent } });
      expect([name, status, /data-detected="(\w+)"/.exec(text)?.[1]]).toEqual([name, 200, name]);
    }
    const { page, complaints, context } = await visit(browser, {
      userAgent: AGENTS.ios,
      hasTouch: true,
      javaScriptEnabled: false,
    });
    await page.goto(address());
    await page.getByRole('heading', { name: t('trust.ios.install.title') }).waitFor();
    await state(page, 'plain').waitFor();
    const link = page.getByRole('link', { name: t('trust.state.plainLink') });
    expect(await link.getAttribute('href')).toBe(address('/trust?on=ios&checked=1', 'localhost'));
    await link.click();
    await page.getByText(t('trust.state.arrived')).waitFor();
    await page
      .locator('.systems')
      .getByRole('link', { name: t('trust.names.android') })
      .click();
    await page.getByText(t('trust.android.compare.title')).waitFor();
    expect(grave(complaints)).toEqual([]);
    await context.close();
  });

  it('says on phones how Larder gets onto their home screen, and nothing of it on computers', async () => {
    for (const [name, add] of [
      ['ios', t('trust.labels.addToHomeIos')],
      ['android', t('trust.labels.addToHomeAndroid')],
    ] as const) {
      const { page, context, complaints } = await visit(browser, { userAgent: AGENTS[name], hasTouch: true });
      await page.goto(address());
      // This browser trusts every certificate: the page says so after its check, and what comes next.
      await page.getByRole('heading', { name: t('trust.done.heading', { device: 'phone' }) }).waitFor();
      const card = page.locator('#done .home');
      await card.getByText(add).waitFor();
      expect(await page.locator('#todo .home').textContent()).toBe(await card.textContent());
      await inspect(page, `trust-home-${name}`);
      expect(grave(complaints)).toEqual([]);
      await card.getByRole('link', { name: t('trust.home.files') }).click();
      await page.waitForURL((url) => !url.pathname.startsWith('/trust'));
      await context.close();
    }
    for (const name of ['windows', 'mac', 'linux', 'firefox'])
      expect((await household.api.send('GET', `/trust?on=${name}`)).text).not.toContain(t('trust.home.heading'));
  });

  it('shows the address for Nextcloud apps while they can connect', async () => {
    const shown = async () => (await household.api.send('GET', '/trust?on=android', {})).text;
    const page = await shown();
    expect(page).toContain(t('trust.apps.heading'));
    expect(page).toContain(`<strong translate="no">${address('')}</strong>`);
    expect(page).toContain('/account/programs?program=nextcloudAndroid"');
    await household.control('settings.update', { nextcloudApps: false });
    expect(await shown()).not.toContain(t('trust.apps.heading'));
    await household.control('settings.update', { nextcloudApps: true });
  });

  itInFull('recognizes an iPad that identifies itself as a Mac', async () => {
    const { page, context } = await visit(browser, { userAgent: AGENTS.mac });
    await page.addInitScript(`Object.defineProperty(navigator, 'maxTouchPoints', { value: 5 })`);
    await page.goto(address());
    await page.waitForURL(address('/trust?on=ios'));
    await context.close();
  });

  itInFull('has steps for every kind of device', async () => {
    for (const name of SYSTEM_NAMES) {
      const { page, complaints, context } = await visit(browser);
      await page.route('**/*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
      await page.goto(address(`/trust?on=${name}`));
      await inspect(page, `trust-${name}`);
      expect(complaints).toEqual([]);
      await context.close();
    }
  });
});

describe('the number of the authority', () => {
  it('is compared with the one that the person enters, and not shown before', async () => {
    const { page, complaints, context } = await visit(browser);
    const whole = await number();
    // Without other names, no check replaces the page.
    await page.route('**/trust/handshakes', (route) => route.abort('internetdisconnected'));
    await page.goto(address('/trust?on=windows'));
    expect((await page.content()).toUpperCase()).not.toContain(whole.slice(0, 11));
    const enter = async (text: string) => {
      await page.getByLabel(t('trust.number.label')).fill(text);
      await page.getByRole('button', { name: t('trust.number.compare') }).click();
    };
    await enter(whole.slice(0, 11));
    await page.getByText(t('trust.number.short')).waitFor();
    await enter(`  ${whole.slice(0, 23).toLowerCase().replaceAll(':', ' ')}`);
    await page.getByText(t('trust.number.same'), { exact: true }).waitFor();
    await inspect(page, 'trust-same');
    await page
      .locator('.systems')
      .getByRole('link', { name: t('trust.names.linux') })
      .click();
    await page.getByText(t('trust.number.same'), { exact: true }).waitFor();

    // The code in the control panel carries it.
    await page.goto(trustAddress(`${address('')}/`, whole));
    await page.getByText(t('trust.number.same'), { exact: true }).waitFor();

    await page.getByRole('link', { name: t('trust.number.again') }).click();
    await enter(`00:11${whole.slice(5, 23)}`);
    await page.getByText(t('trust.number.different'), { exact: true }).waitFor();
    // Nothing can be installed from a page that may be somebody else's.
    expect(await page.locator('a[href$="ca.crt"], a[href$=".mobileconfig"]').count()).toBe(0);
    await inspect(page, 'trust-different');
    expect(complaints.filter((text) => !text.includes('handshakes'))).toEqual([]);
    await context.close();
  });

  it('escapes whatever is entered', async () => {
    const { text } = await household.api.send('GET', '/trust?number=%22%3E%3Cscript%3Ealert(1)%3C/script%3E');
    expect(text).toContain(t('trust.number.different'));
    expect(text).not.toContain('<script>');
  });
});

describe('the profile for Apple’s devices', () => {
  it('has one root certificate, stable identifiers, the household’s name, and nothing else', async () => {
    const get = async () => {
      const reply = await household.api.send('GET', '/trust/larder.mobileconfig');
      return {
        type: reply.headers['content-type'],
        profile: plist.parse(reply.text) as Record<string, unknown>,
      };
    };
    const { type, profile } = await get();
    expect(type).toMatch(/^application\/x-apple-aspen-config/);
    const { PayloadContent: content, ...outer } = profile as { PayloadContent: Record<string, unknown>[] };
    expect(Object.keys(outer).sort()).toEqual(
      ['DisplayName', 'Identifier', 'Type', 'UUID', 'Version'].map((name) => `Payload${name}`),
    );
    expect(content.map(({ PayloadType }) => PayloadType)).toEqual(['com.apple.security.root']);
    const certificate = new X509Certificate(content[0]?.PayloadContent as Buffer);
    expect(certificate.fingerprint256).toBe(await number());
    expect(profile).toMatchObject({ PayloadType: 'Configuration', PayloadDisplayName: NAME });
    expect((await get()).profile).toEqual(profile);
    await household.control('settings.update', { householdName: 'Other\u0007 name' });
    const renamed = (await get()).profile;
    expect(renamed).toMatchObject({ PayloadDisplayName: 'Other name', PayloadUUID: profile.PayloadUUID });
    await household.control('settings.update', { householdName: NAME });
  });
});

describe('callers from outside', () => {
  it('get no private address, and no information about the connections of others', async () => {
    const forwarded = { 'x-forwarded-for': '203.0.113.7', 'user-agent': AGENTS.windows };
    const { text, headers } = await household.api.send('GET', '/trust', { headers: forwarded });
    expect(text).toContain(t('trust.outside.heading'));
    expect(text).toContain('data-origins=""');
    expect(headers['content-security-policy']).toContain("img-src 'self';");
    const counts = await household.api.send('GET', '/trust/handshakes', { headers: forwarded });
    expect(counts.body).toEqual({ refused: 0, ended: 0 });
  });
});
