// The search in the bar: results while typing, and the searches of before, which stay in this browser.

import { isBarKey } from '../lib/bar-keys.ts';
import { elements, make, matches, required, sprite } from '../lib/dom.ts';
import { throttled } from '../lib/schedule.ts';
import { focusRow, listing, rows } from './list/items.ts';
import { isSearch, onPageShown, showPage } from './list/navigation.ts';
import { account, base, main } from './page.ts';

const form = required<HTMLFormElement>(document, '.bar .search');
const input = required<HTMLInputElement>(form, 'input[type=search]');

/** Milliseconds between results while typing. */
const TYPING = 250;
const MAX_RECENT = 8;
const STORED = `larder-searches-${account}`;

/** The address of the results of what is in the form. */
function address(): string {
  const query = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
  return `${base}/search?${query}`;
}

const showWhileTyping = throttled(() => {
  // The user may have left the field meanwhile.
  if (document.activeElement === input && input.value.trim() !== wordsShown()) {
    void showPage(address(), { isTyped: true, announced: '#found' });
  }
}, TYPING);

/** What the page shows the results of; null if it shows something else. */
function wordsShown(): string | null {
  return isSearch(location) ? (new URL(location.href).searchParams.get('q') ?? '') : null;
}

function open(): void {
  form.classList.add('open');
  input.focus();
  input.select();
}

/** Sets a hidden field; null removes it. */
function setField(name: string, value: string | null): void {
  form.querySelector(`input[type=hidden][name=${name}]`)?.remove();
  if (value !== null) form.prepend(make('input', { type: 'hidden', name, value }));
}

/** The form keeps the filters of a search, and names the folder that is shown otherwise. */
function followPage(): void {
  const query = new URL(location.href).searchParams;
  const isResults = isSearch(location);
  for (const name of ['kind', 'time', 'in', 'who']) setField(name, isResults ? query.get(name) : null);
  const shown = listing()?.dataset.path ?? '';
  setField('from', isResults ? query.get('from') : shown === '' ? null : shown);
  form.classList.toggle('open', isResults);
  if (document.activeElement !== input) input.value = wordsShown() ?? '';
  showRecent();
  const words = wordsShown();
  if (words !== null && words !== '') void import('./passages.ts').then(({ showPassages }) => showPassages(words));
}

function recentSearches(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? '[]');
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string').slice(0, MAX_RECENT) : [];
  } catch {
    // Storage may be switched off.
    return [];
  }
}

function store(searches: readonly string[]): void {
  try {
    if (searches.length === 0) localStorage.removeItem(STORED);
    else localStorage.setItem(STORED, JSON.stringify(searches));
  } catch {
    // Storage may be full or switched off; nothing depends on it.
  }
}

function remember(words: string | null): void {
  if (words === null || words.trim() === '') return;
  const kept = recentSearches().filter((one) => one.toLowerCase() !== words.toLowerCase());
  store([words, ...kept].slice(0, MAX_RECENT));
}

export function forgetSearches(): void {
  store([]);
  showRecent();
  input.focus();
}

function showRecent(): void {
  const shown = main.querySelector<HTMLElement>('.recent');
  if (shown === null) return;
  const searches = recentSearches().filter((one) => one !== shown.dataset.words);
  shown.hidden = searches.length === 0;
  required(shown, 'ul').replaceChildren(
    ...searches.map((words) =>
      make(
        'li',
        {},
        make(
          'a',
          { href: `${base}/search?q=${encodeURIComponent(words)}` },
          sprite('history'),
          make('span', {}, words),
        ),
      ),
    ),
  );
}

function onInputKey(event: KeyboardEvent): void {
  const [first] = rows();
  if (event.key === 'ArrowDown' && first !== undefined && isSearch(location)) focusRow(first);
  else if (event.key === 'Escape' && input.value === '') input.blur();
  else return;
  event.preventDefault();
}

/**
 * The filters that limit a search to the shown list, of which the browser would find only what is on the screen. None for lists that no
 * filter describes: starred and recent items, all that is shared, albums. There the key for finding is the browser's own.
 */
function filtersOfList(): Readonly<Record<string, string>> | null {
  const path = listing()?.dataset.path ?? '';
  if (/^\/ROOT\/(?:HOME|\d+\/\d+)(?:\/|$)/.test(path)) return { in: path };
  const [, person] = /^\/ROOT\/(\d+)$/.exec(path) ?? [];
  if (person !== undefined) return { who: person };
  return path === '/PHOTOS' || path === '/MUSIC' ? { kind: path.slice(1).toLowerCase() } : null;
}

/** `/` anywhere, and the key for finding in pages of a list that a search can be limited to. */
function onAnyKey(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
  if (event.defaultPrevented || altKey || document.querySelector('dialog[open]') !== null) return;
  const isSlash = key === '/' && isBarKey(event);
  const isFind = key.toLowerCase() === 'f' && (ctrlKey || metaKey) && !shiftKey && target !== input;
  const filters = isFind ? filtersOfList() : null;
  if (!isSlash && filters === null) return;
  event.preventDefault();
  // A search that was begun with the other key and not sent leaves no filters.
  if (!isSearch(location)) for (const name of ['kind', 'in', 'who']) setField(name, filters?.[name] ?? null);
  open();
}

export function startSearch(): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    remember(input.value.trim());
    void showPage(address());
  });
  input.addEventListener('input', () => {
    if (input.value.trim() !== '') showWhileTyping();
  });
  input.addEventListener('keydown', onInputKey);
  document.addEventListener('keydown', onAnyKey);
  required(document, '.to-search').addEventListener('click', (event) => {
    event.preventDefault();
    open();
  });
  // A search that led to something is worth remembering.
  main.addEventListener('click', ({ target }) => {
    if (matches(target, '.results .open, .results .open *')) remember(wordsShown());
  });
  // Others may use this browser.
  for (const leaving of elements<HTMLFormElement>(document, 'form[action$="/sign-out"]')) {
    leaving.addEventListener('submit', () => store([]));
  }
  onPageShown(followPage);
}
