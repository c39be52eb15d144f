// What other apps have shared with this one: shown with every page until it is saved in a folder, or discarded. The service worker
// keeps it on the device (worker/worker.ts).

import { t } from 'virtual:messages/files';
import { allowedName } from '../../../server/lib/names/allowed-name.ts';
import { uniqueNames } from '../../../server/lib/names/numbered-name.ts';
import { announce, elements, make, setText, shownName, sprite } from '../../lib/dom.ts';
import { humanSize } from '../../lib/human-size.ts';
import type { ReceivedCache, ReceivedHeaders, ReceivedLimit, ReceivedNote } from '../../lib/received.ts';
import { abilities, listing } from '../list/items.ts';
import { onPageShown } from '../list/navigation.ts';
import { account, base } from '../page.ts';

const RECEIVED: ReceivedCache = 'larder-received';
/** Milliseconds after which it is forgotten. */
const LIFETIME = 24 * 60 * 60 * 1_000;
/** Names in the panel; further files are counted. */
const MAX_ROWS = 20;
/** Characters of the name of a shared text. */
const MAX_TITLE = 80;

interface ReceivedFile {
  readonly file: File;
  /** Its name here: others of the same share may have the same one. */
  readonly name: string;
  readonly request: Request;
}

interface Received {
  readonly files: readonly ReceivedFile[];
  /** Whether this device had no room for further files. */
  readonly isIncomplete: boolean;
  /** How much is kept, if more was shared; null otherwise. */
  readonly limit: ReceivedLimit | null;
}

const NOTHING: Received = { files: [], isIncomplete: false, limit: null };

let panel: HTMLElement | null = null;

/** Shows what was received, if anything. */
export async function showReceived(): Promise<void> {
  // Others may use this browser.
  for (const leaving of elements<HTMLFormElement>(document, 'form[action$="/sign-out"]')) {
    leaving.addEventListener('submit', () => void forgetAll());
  }
  const received = await readAll();
  if (received.files.length === 0 && !received.isIncomplete && received.limit === null) {
    await forgetAll();
    return;
  }
  const { element, update } = buildPanel(received);
  panel = document.body.appendChild(element);
  update();
  onPageShown(update);
}

const addressOf = (note: ReceivedNote): string => `${base}/received/${note}`;

const forgetAll = (): Promise<boolean> => caches.delete(RECEIVED);

/** What was received for this account, or for none yet. Older files are forgotten. */
async function readAll(): Promise<Received> {
  const cache = await caches.open(RECEIVED);
  const files: { file: File; request: Request; at: number }[] = [];
  let isIncomplete = false;
  let limit: ReceivedLimit | null = null;
  let seenBy: string | null = null;
  for (const request of await cache.keys()) {
    const reply = await cache.match(request);
    if (reply === undefined) continue;
    const note = request.url.split('/').at(-1) as ReceivedNote;
    if (note === 'incomplete') isIncomplete = true;
    else if (note === 'full') limit = (await reply.json()) as ReceivedLimit;
    else if (note === 'account') seenBy = await reply.text();
    else files.push({ ...(await fileOf(reply)), request });
  }
  if (seenBy !== null && seenBy !== account) return NOTHING;
  await cache.put(addressOf('account'), new Response(account));
  const newest = Math.max(...files.map(({ at }) => at));
  if (files.length > 0 && Date.now() - newest > LIFETIME) return NOTHING;
  files.sort((a, b) => a.at - b.at);
  const names = uniqueNames(files.map(({ file }) => ({ name: file.name, isFolder: false })));
  return { files: files.map((one, index) => ({ ...one, name: names[index] ?? one.file.name })), isIncomplete, limit };
}

async function fileOf(reply: Response): Promise<{ file: File; at: number }> {
  const header = (name: keyof ReceivedHeaders) => reply.headers.get(name) ?? '';
  const type = header('Content-Type');
  const name = nameFrom(decodeURIComponent(header('X-Name')), type);
  const file = new File([await reply.blob()], name, { type, lastModified: Number(header('X-Modified')) });
  return { file, at: Number(header('X-Time')) };
}

/** A name that a file can have. What is shared as a text has a title, or nothing. */
function nameFrom(stated: string, type: string): string {
  const isNamed = /\.\w{1,8}$/.test(stated) || (stated !== '' && !type.startsWith('text/plain'));
  if (isNamed) return allowedName(stated);
  const title = stated
    .replaceAll(/[\s\p{Cc}\\/:*?"<>|]+/gu, ' ')
    .trim()
    .slice(0, MAX_TITLE);
  return allowedName(`${title || t('received.text')}.txt`);
}

/** Why some of what was shared is not here; null if all of it is. */
function missingText({ files: { length: count }, isIncomplete, limit }: Received): string | null {
  if (limit !== null) return t('received.full', { count, files: limit.files, size: humanSize(limit.bytes) });
  if (!isIncomplete) return null;
  return t(count === 0 ? 'received.tooLarge' : 'received.incomplete');
}

function buildPanel(received: Received) {
  const { files } = received;
  const count = files.length;
  const saveText = make('span', {});
  const save = make('button', { type: 'button', class: 'primary', click: () => void saveHere(files) }, saveText);
  const discard = make('button', { type: 'button', click: () => void discardAll() }, t('received.discard'));
  const where = make('p', {}, t('received.choose', { count }));
  const rows = files
    .slice(0, MAX_ROWS)
    .map(({ file, name }) =>
      make(
        'li',
        {},
        make('span', { class: 'name' }, shownName(name)),
        make('span', { class: 'upload-status' }, humanSize(file.size)),
      ),
    );
  if (count > MAX_ROWS) rows.push(make('li', {}, t('uploads.more', { count: count - MAX_ROWS })));
  const missing = missingText(received);
  const note =
    missing === null ? [] : [make('div', { class: 'note care' }, sprite('alert'), make('span', {}, missing))];
  const title = count === 0 ? t('received.none') : t('received.heading', { count });
  const element = make(
    'section',
    { class: 'uploads-panel received', 'aria-label': title },
    make('header', {}, make('h2', {}, title)),
    ...note,
    make('ul', { tabindex: 0, 'aria-label': t('received.list'), hidden: count === 0 }, ...rows),
    make('div', { class: 'received-actions' }, where, discard, save),
  );
  announce(title);
  return {
    element,
    update() {
      const { name = '' } = listing()?.dataset ?? {};
      const isPossible = count > 0 && abilities().includes('upload');
      save.hidden = !isPossible;
      where.hidden = isPossible || count === 0;
      setText(saveText, t('received.save', { folder: name }));
    },
  };
}

/** What was sent is forgotten; what was not is offered again with the next page. */
async function saveHere(files: readonly ReceivedFile[]): Promise<void> {
  const { path = '' } = listing()?.dataset ?? {};
  const { addUploads, afterSending } = await import('./uploads.ts');
  const cache = await caches.open(RECEIVED);
  for (const { file, request } of files) afterSending.set(file, () => void cache.delete(request));
  const chosen = files.map(({ file, name }) => ({ file, path: [name] }));
  const isAccepted = await addUploads({ files: chosen, emptyFolders: [], systemFiles: 0, unreadable: 0 }, path);
  if (!isAccepted) return;
  panel?.remove();
  for (const note of ['incomplete', 'full'] as const) await cache.delete(addressOf(note));
}

async function discardAll(): Promise<void> {
  await forgetAll();
  panel?.remove();
  announce(t('received.discarded'));
}
