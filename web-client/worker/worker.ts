// The service worker of the file pages: where the server cannot be reached, it shows a page that says so. What other apps share with
// this one stays on the device until it is saved or discarded (files/uploads/received.ts). On a device that its person has called
// their own, it keeps the lists that they have seen last (kept-lists.ts). It keeps nothing else, and no content of files.

// A worker that is no module cannot import: code that it shares with the pages would be in another file, and it would not start.
import type { ReceivedCache, ReceivedHeaders, ReceivedLimit, ReceivedNote } from '../lib/received.ts';
import { keptLists } from './kept-lists.ts';

/** Written before this script by the server (server/web/install/routes.ts). */
declare const SHELL: {
  /** Changes with the files. */
  readonly version: string;
  /** The page, and what it loads. */
  readonly page: string;
  readonly files: readonly string[];
  /** Addresses that show a page, and no file. */
  readonly pages: readonly string[];
  /** The address of the file pages, without a trailing slash. */
  readonly base: string;
  /** Below it: what is the same for everyone, so that its replies say nothing of accounts. */
  readonly common: readonly string[];
  /** Where the page without a server finds the lists. Only this worker answers there. */
  readonly lists: string;
  /** Which the pages visit when it may have changed whose device this is. */
  readonly device: string;
  /** Where other apps send files. */
  readonly receive: string;
};

/** Part of the types of a service worker; the pages are compiled with those of a window. */
interface WorkerScope {
  readonly caches: CacheStorage;
  readonly clients: { claim(): Promise<void> };
  readonly registration: { readonly navigationPreload?: { enable(): Promise<void> } };
  skipWaiting(): Promise<void>;
  addEventListener(name: 'install' | 'activate', listener: (event: LifetimeEvent) => void): void;
  addEventListener(name: 'fetch', listener: (event: RequestEvent) => void): void;
}

interface LifetimeEvent {
  waitUntil(work: Promise<unknown>): void;
}

interface RequestEvent extends LifetimeEvent {
  readonly request: Request;
  /** The reply that the browser asked for while the worker started. */
  readonly preloadResponse: Promise<Response | undefined>;
  respondWith(reply: Promise<Response>): void;
}

const worker = globalThis as unknown as WorkerScope;
const RECEIVED: ReceivedCache = 'larder-received';
/** What is kept of all shares together: any site can send a form here, and must not fill the device. */
const LIMIT: ReceivedLimit = { files: 500, bytes: 4 * 1024 ** 3 };
const PREFIX = 'larder-shell-';
const cacheName = `${PREFIX}${SHELL.version}`;
const lists = keptLists({ base: SHELL.base, lists: SHELL.lists });

worker.addEventListener('install', (event) => {
  event.waitUntil(keep());
});

async function keep(): Promise<void> {
  const cache = await worker.caches.open(cacheName);
  await cache.addAll([SHELL.page, ...SHELL.files]);
  await worker.skipWaiting();
}

worker.addEventListener('activate', (event) => {
  event.waitUntil(
    Promise.all([forgetOlder(), worker.registration.navigationPreload?.enable(), worker.clients.claim()]),
  );
});

async function forgetOlder(): Promise<void> {
  const names = await worker.caches.keys();
  const older = names.filter((one) => one.startsWith(PREFIX) && one !== cacheName);
  await Promise.all(older.map((one) => worker.caches.delete(one)));
}

/** Milliseconds between two questions for images, of which a page may have hundreds. */
const IMAGES = 10_000;
let askedForImage = 0;

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { pathname, searchParams } = new URL(request.url);
  if (request.method === 'POST' && pathname === SHELL.receive) {
    event.respondWith(receive(request));
    return;
  }
  if (pathname === SHELL.lists) {
    event.respondWith(lists.answer(searchParams.get('path')));
    return;
  }
  // Whoever signs out leaves nothing of what other apps have shared, on whatever page that is.
  if (pathname === SHELL.device && searchParams.has('ended')) event.waitUntil(worker.caches.delete(RECEIVED));
  // Downloads are left to the browser, which can resume them.
  const isPage = request.mode === 'navigate' && request.method === 'GET' && SHELL.pages.includes(pathname);
  if (isPage) event.respondWith(pageOr(event));
  else if (SHELL.files.includes(pathname)) event.respondWith(fileOr(request));
  else if (!pathname.startsWith(`${SHELL.base}/`) || SHELL.common.includes(pathname)) return;
  else if (isOfScript(request)) event.respondWith(reviewed(event));
  else if (request.destination !== 'image') event.waitUntil(lists.ask(pathname === SHELL.device));
  else if (Date.now() - askedForImage > IMAGES) {
    askedForImage = Date.now();
    event.waitUntil(lists.ask(false));
  }
});

/** Requests whose replies are short. Others are accompanied by a question of the worker's own. */
const isOfScript = ({ mode, destination, method, headers }: Request): boolean =>
  mode !== 'navigate' && destination === '' && (method === 'GET' || method === 'POST') && !headers.has('Range');

async function reviewed(event: RequestEvent): Promise<Response> {
  const { request } = event;
  const begun = lists.begun();
  const reply = await fetch(request);
  event.waitUntil(reviewOf(request, reply, begun));
  return reply;
}

/** Decides by a reply whether what is kept may stay, and keeps the list that it showed. */
async function reviewOf({ url }: Request, reply: Response, begun: number): Promise<void> {
  const { pathname, searchParams } = new URL(url);
  // Redirects of pages reveal nothing to a worker.
  const isOwn =
    reply.type === 'opaqueredirect' ? await lists.ask(false) : await lists.review(reply.status, reply.headers, begun);
  const path = searchParams.get('path');
  // Further rows of a list begin elsewhere.
  const isList =
    pathname === `${SHELL.base}/` && path !== null && !searchParams.has('rows') && !searchParams.has('start');
  if (isOwn && isList && reply.type !== 'opaqueredirect') await lists.keep(path);
}

/** Shares are kept one after the other, so that each counts what those before it have left. */
let lastShare: Promise<unknown> = Promise.resolve();

/** Keeps what another app shares. The page that follows asks where it is to be saved. */
function receive(request: Request): Promise<Response> {
  const kept = lastShare.then(() => keepShared(request));
  lastShare = kept.catch(() => undefined);
  return kept;
}

/** What is there is never replaced: what does not fit beside it is not kept, and the page says so. */
async function keepShared(request: Request): Promise<Response> {
  const form = await request.formData();
  const cache = await worker.caches.open(RECEIVED);
  const addressOf = (name: string) => new URL(`received/${name}`, request.url).href;
  const note = (name: ReceivedNote, content = '') =>
    cache.put(addressOf(name), new Response(content)).catch(() => undefined);
  const left = await roomIn(cache);
  let isFull = false;
  try {
    for (const { content, name, modified } of sharedIn(form)) {
      if (left.files < 1 || content.size > left.bytes) {
        isFull = true;
        continue;
      }
      left.files -= 1;
      left.bytes -= content.size;
      const headers: ReceivedHeaders = {
        'X-Name': encodeURIComponent(name),
        'X-Time': String(Date.now()),
        'X-Modified': String(modified),
        'X-Size': String(content.size),
        'Content-Type': content.type,
      };
      await cache.put(addressOf(crypto.randomUUID()), new Response(content, { headers: { ...headers } }));
    }
  } catch {
    // The device has no room for all of it. Those before it are kept.
    await note('incomplete');
  }
  if (isFull) await note('full', JSON.stringify(LIMIT));
  return Response.redirect(new URL('./', request.url).href, 303);
}

interface Shared {
  readonly content: Blob;
  /** Empty for a text without a title. */
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly modified: number;
}

/** The files of a share; without any, its text. Apps state titles with their files, too. */
function sharedIn(form: FormData): readonly Shared[] {
  const files = form.getAll('files').filter((value): value is File => value instanceof File && value.name !== '');
  if (files.length > 0) return files.map((file) => ({ content: file, name: file.name, modified: file.lastModified }));
  const [title = '', ...lines] = ['title', 'text', 'url'].map((name) => String(form.get(name) ?? ''));
  const text = lines.filter((line) => line !== '').join('\n') || title;
  if (text === '') return [];
  return [{ content: new Blob([text], { type: 'text/plain' }), name: title, modified: Date.now() }];
}

/** How many files more are kept, and how many bytes. */
async function roomIn(cache: Cache): Promise<{ files: number; bytes: number }> {
  const left = { ...LIMIT };
  for (const request of await cache.keys()) {
    const headers = (await cache.match(request))?.headers;
    // Notes have no name.
    if (headers === undefined || !headers.has('X-Name')) continue;
    left.files -= 1;
    left.bytes -= Number(headers.get('X-Size') ?? 0);
  }
  return left;
}

async function pageOr(event: RequestEvent): Promise<Response> {
  const { request, preloadResponse } = event;
  const begun = lists.begun();
  try {
    const reply = (await preloadResponse) ?? (await fetch(request));
    event.waitUntil(reviewOf(request, reply, begun));
    return reply;
  } catch (error) {
    const kept = await worker.caches.match(SHELL.page);
    if (kept === undefined) throw error;
    return kept;
  }
}

/** The page without a server loads its styles from the cache as well. */
async function fileOr(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await worker.caches.match(new URL(request.url).pathname);
    if (kept === undefined) throw error;
    return kept;
  }
}
