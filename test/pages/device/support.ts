import type { Browser, Page } from 'playwright-core';
import { t } from '../../../dist/server/messages/messages.js';
import { type Visit, visit } from '../../support/browser/page.ts';
import { addMembersWithHomes, homeOf, MEMBER, signInAs } from '../../support/households/member.ts';
import type { SharingHousehold } from '../../support/requests/sharing.ts';
import { openTunnel, type Tunnel } from '../../support/requests/tunnel.ts';
import { fillHome, ready, signInAt } from '../files/support.ts';

/** A device of a new person of the household, with a browser that has a service worker. */
export interface Device extends Visit {
  readonly person: string;
  readonly id: number;
  readonly tunnel: Tunnel;
  at(path: string): string;
  /** Opens the list of a folder, as a page of its own. */
  open(path: string): Promise<void>;
  signIn(username?: string): Promise<void>;
  /** Says on the account page that it is the person's own device, or no longer. */
  say(isOwn: boolean): Promise<void>;
  /** Opens the list of a folder, and waits until it is kept. */
  see(path: string): Promise<void>;
  /** The paths of the lists that are kept, with what the browser stores. */
  kept(): Promise<string[]>;
  /** Everything that is stored, as text. */
  stored(): Promise<string>;
  /** Sets the clock of the device, in milliseconds from now; the pages and their worker have no other. */
  setClock(by: number): Promise<void>;
  close(): Promise<void>;
}

const FILES = {
  'Holidays/Packing.txt': 'Tent and stove',
  'Holidays/Boats/Canoe.txt': 'A canoe',
  'Notes.txt': 'Secret content',
};

let people = 0;

/** @param to the port behind the tunnel of the device; by default that of the household */
export async function newDevice(browser: Browser, household: SharingHousehold, to?: () => number): Promise<Device> {
  people += 1;
  const person = `person${people}`;
  await addMembersWithHomes(household, { [person]: {} });
  await fillHome(homeOf(household, person), FILES);
  const { id } = (await (await signInAs(household, person)).get('account/info')).body;
  const tunnel = await openTunnel(to ?? (() => household.port));
  const visited = await visit(browser, { serviceWorkers: 'allow', ignoreHTTPSErrors: true });
  const { page, context } = visited;
  const at = (path: string) => `https://localhost:${tunnel.port}${path}`;
  const list = (path: string) => at(`/files/?${new URLSearchParams({ path })}`);
  const device: Device = {
    ...visited,
    person,
    id: Number(id),
    tunnel,
    at,
    async open(path) {
      await page.goto(list(path));
      await ready(page);
    },
    async signIn(username = person) {
      await page.goto(list('/ROOT/HOME'));
      await signInAt(page, username, MEMBER.password);
      await ready(page);
      await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    },
    async say(isOwn) {
      await page.goto(at('/account/'));
      const name = t(isOwn ? 'account.ownDevice.keep' : 'account.ownDevice.forget');
      await page.getByRole('button', { name }).click();
      await page.getByText(t(isOwn ? 'account.done.ownDevice' : 'account.done.ownDeviceOff')).waitFor();
    },
    async see(path) {
      await device.open(path);
      await until(async () => (await device.kept()).includes(path));
    },
    kept: () => page.evaluate<string[]>(KEPT),
    stored: () => page.evaluate<string>(STORED),
    async setClock(by) {
      const [worker] = context.serviceWorkers();
      await worker?.evaluate(`globalThis.realNow ??= Date.now; Date.now = () => realNow() + ${by};`);
    },
    async close() {
      await context.close();
      await tunnel.cut();
    },
  };
  await device.signIn();
  return device;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const { expect } = await import('vitest');
  await expect.poll(isSo).toBe(true);
}

/** Without opening a cache that is not there, which would create it. */
const KEPT = `(async () => {
  if (!(await caches.has('larder-lists'))) return [];
  const keys = await (await caches.open('larder-lists')).keys();
  return keys.map(({ url }) => new URL(url).searchParams.get('path')).filter((path) => path !== null).sort();
})()`;

const STORED = `(async () => {
  if (!(await caches.has('larder-lists'))) return '';
  const replies = await (await caches.open('larder-lists')).matchAll();
  return (await Promise.all(replies.map((reply) => reply.text()))).join('\\n');
})()`;

/** The heading of the page that the worker shows. */
export const unreachable = (page: Page) =>
  page.getByRole('heading', { name: t('install.unreachable.heading', { household: 'Orchard House' }) });

export const lastSeen = (page: Page) => page.locator('.last-seen');

export const namesSeen = (page: Page) =>
  page.locator('.last-seen [aria-label] li .name, .last-seen [aria-label] li a').allTextContents();
