// The entries of a folder: which of them are selected, where the keyboard is, and the next ones when the end comes near.

import { ask, fill, make, numbered, root, say, sprite, texts } from './files-common.js';

/** Entries that are fetched at once where all are wanted. */
const MOST_ROWS = 2_000;

const selected = new Set();
let anchor = null;
let loading = null;

export const listing = () => document.querySelector('.listing');
export const items = () => [...document.querySelectorAll('.items .item')];
export const itemOf = (element) => element?.closest?.('.item') ?? null;
const pathOf = (item) => item.dataset.path;
const linkOf = (item) => item?.querySelector('.open') ?? null;
const nameOf = (item) => item.querySelector('.name').textContent;

export function describe(item) {
  return {
    path: pathOf(item),
    name: nameOf(item),
    isDir: item.classList.contains('dir'),
    isStarred: item.dataset.starred !== undefined,
    isClosed: item.dataset.closed !== undefined,
  };
}

export const selection = () =>
  items()
    .filter((item) => selected.has(pathOf(item)))
    .map(describe);
export const loadedRows = () => items().length;

const observer = new IntersectionObserver(
  (entries) => {
    if (entries.some(({ isIntersecting }) => isIntersecting)) void loadMore();
  },
  { rootMargin: '800px' },
);

/**
 * Takes the list of a page over that was just shown.
 * @param kept whether what is selected stays so, as far as it is still there @param focus the path of an entry
 */
export function attach({ kept = false, focus = null } = {}) {
  loading = null;
  if (!kept) selected.clear();
  for (const item of items()) prepare(item);
  const there = new Set(items().map(pathOf));
  for (const path of selected) if (!there.has(path)) selected.delete(path);
  watchEnd();
  show();
  const wanted = focus === null ? null : items().find((item) => pathOf(item) === focus);
  if (wanted) focusOn(wanted);
  else linkOf(items()[0])?.setAttribute('tabindex', '0');
}

/** One stop of the Tab key for the whole list: from there on it is the arrows. The box to select it with has no use without us. */
function prepare(item) {
  if (pathOf(item) === undefined) {
    item.dataset.path = new URL(linkOf(item).href).searchParams.get('path');
    const box = make('input', { type: 'checkbox', 'aria-label': fill(texts.select, nameOf(item)) });
    item.prepend(make('label', { class: 'pick' }, box));
    if (item.querySelector('.more') === null) {
      const more = { class: 'more', href: linkOf(item).href, 'aria-label': fill(texts.more, nameOf(item)) };
      item.append(make('a', more, sprite('dots')));
    }
  }
  for (const element of item.querySelectorAll('a, input')) element.tabIndex = -1;
  mark(item);
}

function mark(item) {
  const isSelected = selected.has(pathOf(item));
  item.classList.toggle('selected', isSelected);
  item.querySelector('.pick input').checked = isSelected;
}

function watchEnd() {
  observer.disconnect();
  const end = document.querySelector('.more-rows');
  if (end !== null) observer.observe(end);
}

/** @returns whether there were more */
export function loadMore(limit) {
  const link = document.querySelector('.more-rows a');
  if (link === null) return Promise.resolve(false);
  loading ??= fetchMore(link, limit).finally(() => {
    loading = null;
  });
  return loading;
}

async function fetchMore(link, limit) {
  const list = document.querySelector('.items');
  const address = new URL(link.href);
  if (limit !== undefined) address.searchParams.set('limit', limit);
  try {
    const { data } = await ask('GET', address.href);
    if (!list.isConnected) return false;
    const page = new DOMParser().parseFromString(data.main, 'text/html');
    const more = [...page.querySelectorAll('.items > li')];
    for (const item of more) if (item.matches('.item')) prepare(item);
    list.append(...more);
    const end = page.querySelector('.more-rows');
    if (end === null) link.parentElement.remove();
    else link.parentElement.replaceWith(end);
    watchEnd();
    return true;
  } catch {
    // The link stays: it can be pressed.
    return false;
  }
}

async function loadAll() {
  while (document.querySelector('.more-rows') !== null) if (!(await loadMore(MOST_ROWS))) return;
}

/** What is said of the selection, and the bar with what can be done with it. */
function show() {
  const bar = document.querySelector('.selection');
  if (bar === null) return;
  const count = selected.size;
  const total = Number(listing().dataset.total);
  bar.hidden = count === 0;
  document.querySelector('.table').classList.toggle('selecting', count > 0);
  document.getElementById('count').textContent = fill(texts.selectedOf, numbered(count), numbered(total));
  for (const id of ['all', 'picked']) {
    const box = document.getElementById(id);
    box.checked = count > 0 && count === total;
    box.indeterminate = count > 0 && count < total;
  }
  const star = bar.querySelector('[data-do=star], [data-do=unstar]');
  if (star !== null) {
    const entry = document.getElementById('menu').content;
    const isStarred = count > 0 && selection().every((one) => one.isStarred);
    star.dataset.do = isStarred ? 'unstar' : 'star';
    star.querySelector('span').textContent = entry.querySelector(`[data-do=${star.dataset.do}] span`).textContent;
  }
}

function change(item, isSelected) {
  if (isSelected) selected.add(pathOf(item));
  else selected.delete(pathOf(item));
  mark(item);
}

/** @param range whether everything since the last one is meant */
export function toggle(item, range = false) {
  const all = items();
  const from = all.findIndex((one) => pathOf(one) === anchor);
  const to = all.indexOf(item);
  if (range && from >= 0) {
    for (const one of all.slice(Math.min(from, to), Math.max(from, to) + 1)) change(one, true);
  } else {
    change(item, !selected.has(pathOf(item)));
    anchor = pathOf(item);
  }
  show();
  const sentence = selected.has(pathOf(item)) ? texts.selected : texts.notSelected;
  say(`${fill(sentence, nameOf(item))}. ${document.getElementById('count').textContent}`);
}

export function clear() {
  if (selected.size === 0) return false;
  selected.clear();
  for (const item of items()) mark(item);
  show();
  say(texts.cleared);
  return true;
}

export async function selectAll() {
  await loadAll();
  for (const item of items()) change(item, true);
  show();
  say(document.getElementById('count').textContent);
}

export function focusOn(item) {
  for (const link of document.querySelectorAll('.items .open[tabindex="0"]')) link.tabIndex = -1;
  const link = linkOf(item);
  link.tabIndex = 0;
  link.focus({ preventScroll: true });
  item.scrollIntoView({ block: 'nearest' });
}

/** The entry above or below one, also where they stand in rows of different widths. */
function beside(item, direction) {
  const all = items();
  const index = all.indexOf(item);
  if (!document.querySelector('.table').classList.contains('gallery')) return all[index + direction];
  const box = item.getBoundingClientRect();
  const middle = (box.left + box.right) / 2;
  const rest = direction > 0 ? all.slice(index + 1) : all.slice(0, index).reverse();
  const isBeyond = (one) => Math.abs(one.getBoundingClientRect().top - box.top) > 4;
  const first = rest.find(isBeyond);
  if (first === undefined) return undefined;
  const { top } = first.getBoundingClientRect();
  const row = rest.filter((one) => Math.abs(one.getBoundingClientRect().top - top) <= 4);
  const distance = (one) => {
    const { left, right } = one.getBoundingClientRect();
    return Math.abs((left + right) / 2 - middle);
  };
  return row.reduce((best, one) => (distance(one) < distance(best) ? one : best));
}

let typed = '';
let typedAt = 0;

/** The next entry whose name begins with what is typed. */
function typeAhead(item, key, now) {
  typed = now - typedAt < 800 ? typed + key : key;
  typedAt = now;
  const all = items();
  const index = all.indexOf(item);
  const start = typed.length === 1 ? index + 1 : index;
  const order = [...all.slice(start), ...all.slice(0, start)];
  const fold = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return order.find((one) => fold(nameOf(one)).startsWith(fold(typed)));
}

const PAGE = 10;

/** @returns whether the key was for the list */
export async function move(item, event) {
  const all = items();
  const index = all.indexOf(item);
  const isGallery = document.querySelector('.table').classList.contains('gallery');
  const steps = {
    ArrowDown: () => beside(item, 1),
    ArrowUp: () => beside(item, -1),
    Home: () => all[0],
    End: () => all.at(-1),
    PageDown: () => all[Math.min(index + PAGE, all.length - 1)],
    PageUp: () => all[Math.max(index - PAGE, 0)],
    ...(isGallery ? { ArrowRight: () => all[index + 1], ArrowLeft: () => all[index - 1] } : {}),
  };
  if (!Object.hasOwn(steps, event.key)) return false;
  event.preventDefault();
  const range = event.shiftKey;
  let to = steps[event.key]();
  if (to === undefined && event.key === 'ArrowDown' && (await loadMore())) to = beside(item, 1);
  if (to === undefined) return true;
  if (range) {
    anchor ??= pathOf(item);
    if (!selected.has(anchor)) toggle(item);
    toggle(to, true);
  }
  focusOn(to);
  return true;
}

export function jump(item, event) {
  const isLetter = event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (!isLetter) return false;
  const to = typeAhead(item, event.key, event.timeStamp);
  if (to !== undefined) focusOn(to);
  return true;
}

root.addEventListener('click', (event) => {
  const item = itemOf(event.target);
  if (event.target.matches('#all, #picked')) {
    if (event.target.id === 'all' && event.target.checked) void selectAll();
    else if (event.target.id === 'picked' && selected.size < Number(listing().dataset.total)) void selectAll();
    else clear();
  } else if (item !== null && event.target.matches('.pick input')) {
    toggle(item, event.shiftKey);
  } else if (item !== null && event.target.closest('a, label') === null) {
    toggle(item, event.shiftKey);
  }
});
