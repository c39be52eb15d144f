// Shortcuts of the list, and of the page of one file.

import { isBarKey } from '../../lib/bar-keys.ts';
import { matches } from '../../lib/dom.ts';
import { perform } from '../actions/actions.ts';
import { subjectsOf } from '../overlays/item-menu.ts';
import { base, fileNav, main } from '../page.ts';
import { itemOf } from './item.ts';
import { abilities, listing, rowOf } from './items.ts';
import { selectAll } from './list.ts';
import { isTyping, moveFrom, typeAhead } from './list-keys.ts';
import { clearSelection, hasSelection, isAllowed, toggle } from './selection.ts';

/** Keys for actions; the first possible one is performed. */
const ACTION_KEYS: Readonly<Record<string, readonly string[]>> = { Delete: ['delete', 'erase'], F2: ['rename'] };

/** Keys of the page of one file, with the element they press. */
const ITEM_KEYS: Readonly<Record<string, string>> = {
  ArrowLeft: '.step.prev',
  ArrowRight: '.step.next',
  Escape: '.crumbs li:last-child a',
  F2: '.facts [data-do=rename]',
  Delete: '.facts [data-do=delete]',
};

/** Elements with their own keys. */
const OWN_KEYS = 'input, textarea, select, audio, video, .paper';

/** Keys of the whole page. They come before those of the list, where letters find names. */
function onPageKey(event: KeyboardEvent): void {
  const { key } = event;
  if (!isBarKey(event) || document.querySelector('dialog[open], .photo-viewer') !== null) return;
  const isOnRow = rowOf(event.target) !== null;
  if (key === '?') void import('../keys-help.ts').then(({ showKeys }) => showKeys());
  // On a row, a small letter finds a name.
  else if (key !== 'N' && (key !== 'n' || isOnRow)) return;
  else if (isTyping(event) || !createFolder(isOnRow || matches(event.target, OWN_KEYS))) return;
  event.preventDefault();
  event.stopPropagation();
}

/**
 * @param isBusy whether the page is in use: then it does not lead to another one
 * @returns whether there is a place for it: the shown folder, or the own files where no folder is shown
 */
function createFolder(isBusy: boolean): boolean {
  const path = listing()?.dataset.path ?? '';
  const own = fileNav.querySelector('a[href$="/ROOT/HOME"]');
  if (abilities().includes('upload')) void perform('create-folder', [{ path }]);
  else if (own === null || isBusy || hasSelection() || /^\/ROOT\/(?:HOME|\d+\/)/.test(path)) return false;
  else location.assign(`${base}/do/create-folder?path=/ROOT/HOME`);
  return true;
}

export function startShortcuts(): void {
  document.addEventListener('keydown', onPageKey, { capture: true });
  // A new page has no focus yet, but the keys for the previous and next photo work.
  document.addEventListener('keydown', (event) => {
    if (event.target === document.body && !event.defaultPrevented) pressItemKey(event);
  });
  main.addEventListener('keydown', (event) => void onKey(event));
}

async function onKey(event: KeyboardEvent): Promise<void> {
  const { target, key, ctrlKey, metaKey } = event;
  if (matches(target, '.comment-form textarea') && key === 'Enter' && (ctrlKey || metaKey)) return sendComment(event);
  if (matches(target, OWN_KEYS) || isInComments(target)) return;
  const row = rowOf(target);
  if (row === null) return pressItemKey(event);
  if (event.altKey) return key === 'ArrowUp' ? openParent(event) : undefined;
  await onRowKey(row, event);
}

const isInComments = (target: EventTarget | null) => target instanceof Element && target.closest('.comments') !== null;

function sendComment(event: KeyboardEvent): void {
  event.preventDefault();
  const form = event.target instanceof HTMLTextAreaElement ? event.target.form : null;
  form?.requestSubmit(form.querySelector('button'));
}

async function onRowKey(row: HTMLElement, event: KeyboardEvent): Promise<void> {
  const { key } = event;
  if (key === ' ') void toggle(row, event.shiftKey);
  else if (key === 'a' && (event.ctrlKey || event.metaKey)) void selectAll();
  else if (key === 'Escape') clearSelection();
  else if (key === 'Backspace') return openParent(event);
  else if (Object.hasOwn(ACTION_KEYS, key)) performKey(row, key);
  else if (await moveFrom(row, event)) return;
  else if (key === 'Enter' || !typeAhead(row, event)) return;
  event.preventDefault();
}

function performKey(row: HTMLElement, key: string): void {
  const can = abilities();
  const action = ACTION_KEYS[key]?.find((one) => can.includes(one));
  if (action === undefined) return;
  const items = action === 'rename' ? [itemOf(row)] : subjectsOf(hasSelection() ? null : row);
  if (!isAllowed(action, items)) return;
  void perform(action, items);
}

function openParent(event: KeyboardEvent): void {
  const link = [...document.querySelectorAll<HTMLElement>('.crumbs a')].at(-1);
  if (link === undefined) return;
  event.preventDefault();
  link.click();
}

function pressItemKey(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (document.querySelector('.viewer') === null || ctrlKey || metaKey || altKey || shiftKey) return;
  const selector = Object.hasOwn(ITEM_KEYS, key) ? ITEM_KEYS[key] : undefined;
  const pressed = selector === undefined ? null : document.querySelector<HTMLElement>(selector);
  if (pressed === null) return;
  event.preventDefault();
  pressed.click();
}
