// The page for when the server cannot be reached: shows the lists that this device keeps. They come from the worker, and nothing can
// be done with them. Other lists are shown in place, because asking for their pages would only wait for the server again.

import { t } from 'virtual:messages/worker';
import { make, required, shownName, sprite } from '../lib/dom.ts';
import { humanSize } from '../lib/human-size.ts';
import type { KeptAnswer, KeptList } from './kept-lists.ts';

const section = required(document, '.last-seen');
const { base = '', lists = '', locale = '' } = section.dataset;

const addressOf = (path: string) => `${base}/?${new URLSearchParams({ path })}`;
const exactly = (time: number) => new Date(time).toLocaleString(locale, { dateStyle: 'long', timeStyle: 'short' });
const timeOf = (time: number) => make('time', { datetime: new Date(time).toISOString() }, exactly(time));

/** Shows the list of the address of this page, and which others there are. */
async function show(): Promise<void> {
  const { pathname, searchParams } = new URL(location.href);
  const path = pathname === `${base}/` ? searchParams.get('path') : null;
  const reply = await fetch(path === null ? lists : `${lists}?${new URLSearchParams({ path })}`);
  // Without a worker, the server has nothing there.
  if (!reply.ok) return;
  const { list, places }: KeptAnswer = await reply.json();
  const others = places.filter((place) => place.path !== list?.path);
  section.hidden = places.length === 0;
  section.replaceChildren(
    make('h2', {}, t('install.lastSeen.heading')),
    make('p', { class: 'help' }, t('install.lastSeen.help', { household: householdOf() })),
    ...(list === null
      ? [make('p', {}, t('install.lastSeen.none'))]
      : shownList(list, new Set(places.map((one) => one.path)))),
    ...(others.length === 0 ? [] : [otherLists(others)]),
  );
}

const householdOf = () => required(document, '.niche > header span').textContent ?? '';

function shownList({ name, above, rows, total, seenAt }: KeptList, kept: ReadonlySet<string>): HTMLElement[] {
  const left = total - rows.length;
  const place = above.length === 0 ? [] : [make('p', { class: 'meta' }, above.join(' › '))];
  const items = rows.map((row) => {
    const isLink = row.isDir && kept.has(row.path);
    const label = isLink
      ? make('a', { href: addressOf(row.path), 'data-path': row.path }, shownName(row.name))
      : make('span', { class: 'name' }, shownName(row.name));
    const facts = [
      ...(row.size === null ? [] : [humanSize(row.size)]),
      ...(row.changedAt === null ? [] : [exactly(row.changedAt)]),
    ];
    const about = make('div', {}, label, make('span', { class: 'meta' }, facts.join(' · ')));
    return make('li', {}, sprite(row.isDir ? 'folder' : 'fileText'), about);
  });
  return [
    ...place,
    make('h3', { tabindex: -1 }, shownName(name)),
    make('p', { class: 'meta' }, ...around(t('install.lastSeen.seen', { when: MARK }), timeOf(seenAt))),
    items.length === 0
      ? make('p', {}, t('install.lastSeen.empty'))
      : make('ul', { class: 'seen', 'aria-label': t('install.lastSeen.list') }, ...items),
    ...(left > 0 ? [make('p', { class: 'meta' }, t('install.lastSeen.more', { count: left }))] : []),
  ];
}

/** Stands for an element in a message. */
const MARK = '\u0000';

function around(message: string, element: HTMLElement): (Node | string)[] {
  const [before = '', after = ''] = message.split(MARK);
  return [before, element, after];
}

function otherLists(places: KeptAnswer['places']): HTMLElement {
  const links = places.map(({ path, name, seenAt }) =>
    make(
      'li',
      {},
      sprite('folder'),
      make(
        'div',
        {},
        make('a', { href: addressOf(path), 'data-path': path }, shownName(name)),
        make('span', { class: 'meta' }, ...around(t('install.lastSeen.seen', { when: MARK }), timeOf(seenAt))),
      ),
    ),
  );
  const id = 'other-lists';
  return make(
    'div',
    {},
    make('h3', { id, tabindex: -1 }, t('install.lastSeen.others')),
    make('ul', { class: 'seen', 'aria-labelledby': id }, ...links),
  );
}

section.addEventListener('click', (event) => {
  const { target } = event;
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[data-path]') : null;
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  history.pushState({}, '', link.href);
  void showNext();
});
addEventListener('popstate', () => void showNext());
void show();

/** The element with the focus was replaced. */
async function showNext(): Promise<void> {
  await show();
  section.querySelector<HTMLElement>('h3')?.focus();
}
