// A menu above the page.

import { t } from 'virtual:messages/files';
import { closest, elements, make } from '../../lib/dom.ts';
import { main } from '../page.ts';

export type MenuAnchor = Element | { readonly x: number; readonly y: number };

/** Pixels between a menu and its button, and to the edge of the screen. */
const GAP = 4;
const MARGIN = 8;

let closeOpenMenu: (() => void) | null = null;

export const closeMenu = (): void => closeOpenMenu?.();

/**
 * @param entries buttons with `data-do`, and lines between groups @param opener gets the focus back
 * @param choose called with the `data-do` of the chosen one
 */
export function showMenu(
  entries: readonly Element[],
  anchor: MenuAnchor,
  opener: HTMLElement | null,
  choose: (action: string) => void,
): void {
  closeMenu();
  const menu = make('div', { class: 'menu', role: 'menu', 'aria-label': t('files.actions.label') });
  menu.append(...withoutNeedlessLines(entries));
  const items = elements(menu, '[role=menuitem]');
  const close = (isFocusReturned = true) => {
    closeOpenMenu = null;
    document.removeEventListener('pointerdown', closeOutside, true);
    menu.remove();
    if (isFocusReturned) opener?.focus();
  };
  const closeOutside = ({ target }: Event) => {
    if (!(target instanceof Node && menu.contains(target))) close(false);
  };
  closeOpenMenu = close;
  menu.addEventListener('click', ({ target }) => {
    const action = closest(target, '[data-do]')?.dataset.do;
    if (action === undefined) return;
    close();
    choose(action);
  });
  menu.addEventListener('keydown', (event) => {
    const index = items.findIndex((item) => item.matches(':focus'));
    const steps: Readonly<Record<string, number>> = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 };
    const step = steps[event.key];
    if (event.key === 'Escape' || event.key === 'Tab') close();
    else if (step !== undefined) items.at(step % items.length)?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  document.addEventListener('pointerdown', closeOutside, true);
  // What is behind an open dialog cannot be used.
  const over = anchor instanceof Element ? anchor.closest('dialog') : null;
  (over ?? main).append(menu);
  position(menu, anchor);
  items[0]?.focus();
}

/** The menu entries in a template of the page, and the lines between their groups. */
export const entriesOfTemplate = ({ content }: HTMLTemplateElement): HTMLElement[] =>
  elements(document.importNode(content, true), '[data-do], hr');

const isLine = (entry: Element | undefined) => entry?.matches('hr') === true;

/** Without the lines of groups that have no entry. */
const withoutNeedlessLines = (entries: readonly Element[]): readonly Element[] =>
  entries
    .filter((entry, index) => !isLine(entry) || (index > 0 && !isLine(entries[index - 1])))
    .filter((entry, index, all) => !isLine(entry) || index < all.length - 1);

/**
 * Below or above its button, and always inside of the screen. Where neither has room for it, it is at the side of the button: a second
 * click on that must not choose from the menu.
 */
function position(menu: HTMLElement, anchor: MenuAnchor): void {
  const { offsetWidth: width, offsetHeight: height } = menu;
  const { clientWidth, clientHeight } = document.documentElement;
  const isElement = anchor instanceof Element;
  const box = isElement
    ? anchor.getBoundingClientRect()
    : { left: anchor.x, right: anchor.x, top: anchor.y, bottom: anchor.y };
  const [above, below] = [box.top - height - GAP, box.bottom + GAP];
  const isAbove = below + height > clientHeight;
  const isAside = isElement && isAbove && above < MARGIN && box.left - width - GAP >= MARGIN;
  const left = isAside ? box.left - width - GAP : isElement ? box.right - width : box.left;
  const top = isAbove ? above : below;
  menu.style.position = 'fixed';
  menu.style.left = `${Math.max(MARGIN, Math.min(left, clientWidth - width - MARGIN))}px`;
  menu.style.top = `${Math.max(MARGIN, Math.min(top, clientHeight - height - MARGIN))}px`;
}
