// What stands above the page for a while: menus, dialogs, and what says that something is done.

import { make, say, sprite, texts } from './files-common.js';

const TOAST_TIME = 5_000;
/** With something to choose: long enough to read, and to get there with the keyboard. */
const LONG_TOAST_TIME = 12_000;

const toasts = document.body.appendChild(make('section', { class: 'toasts', 'aria-label': texts.messages }));

/** @param act what can still be done about it: `{ text, run }` */
export function toast(text, act = null, icon = 'check') {
  const shown = make('div', { class: 'toast' }, sprite(icon), make('span', {}, text));
  let timer = 0;
  const close = () => {
    clearTimeout(timer);
    shown.remove();
  };
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(close, act === null ? TOAST_TIME : LONG_TOAST_TIME);
  };
  if (act !== null) {
    const run = () => {
      close();
      act.run();
    };
    shown.append(make('button', { type: 'button', click: run }, act.text));
  }
  shown.addEventListener('pointerenter', () => clearTimeout(timer));
  shown.addEventListener('pointerleave', wait);
  shown.addEventListener('focusin', () => clearTimeout(timer));
  shown.addEventListener('focusout', wait);
  while (toasts.childElementCount > 2) toasts.firstElementChild.remove();
  toasts.append(shown);
  say(text);
  wait();
  return {
    close,
    /** What goes on is said until it is over. */
    update(other) {
      shown.querySelector('span').textContent = other;
      wait();
    },
  };
}

export const complain = (error, act = null) => toast(error.message, act, 'alert');

let openMenu = null;

export function closeMenu() {
  openMenu?.close();
}

/**
 * A menu at a place of the page.
 * @param entries buttons with `data-do`
 * @param at an element, or a point `{ x, y }` @param choose told which was chosen
 */
export function showMenu(entries, at, opener, choose) {
  closeMenu();
  const menu = make('div', { class: 'menu', role: 'menu', 'aria-label': texts.menu }, ...entries);
  const items = [...menu.querySelectorAll('[role=menuitem]')];
  const close = (back = true) => {
    openMenu = null;
    document.removeEventListener('pointerdown', outside, true);
    menu.remove();
    if (back) opener?.focus();
  };
  const outside = (event) => {
    if (!menu.contains(event.target)) close(false);
  };
  openMenu = { close };
  menu.addEventListener('click', (event) => {
    const chosen = event.target.closest('[data-do]');
    if (chosen === null) return;
    close();
    choose(chosen.dataset.do);
  });
  menu.addEventListener('keydown', (event) => {
    const index = items.indexOf(document.activeElement);
    const step = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }[event.key];
    if (event.key === 'Escape' || event.key === 'Tab') close();
    else if (step !== undefined) items.at(step % items.length).focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  document.addEventListener('pointerdown', outside, true);
  document.getElementById('content').append(menu);
  place(menu, at);
  items[0]?.focus();
}

/** Beside where it was asked for, and always whole on the screen. */
function place(menu, at) {
  const box = at instanceof Element ? at.getBoundingClientRect() : { left: at.x, right: at.x, top: at.y, bottom: at.y };
  const { offsetWidth: width, offsetHeight: height } = menu;
  const { clientWidth, clientHeight } = document.documentElement;
  const left = at instanceof Element ? box.right - width : box.left;
  const top = box.bottom + 4 + height > clientHeight ? box.top - height - 4 : box.bottom + 4;
  menu.style.position = 'fixed';
  menu.style.left = `${Math.max(8, Math.min(left, clientWidth - width - 8))}px`;
  menu.style.top = `${Math.max(8, Math.min(top, clientHeight - height - 8))}px`;
}

/** @returns the dialog, whose content can be changed; it goes when it is closed */
export function showDialog(title, ...content) {
  const opener = document.activeElement;
  const heading = make('h2', { id: 'dialog-title' }, title);
  const dialog = make('dialog', { 'aria-labelledby': 'dialog-title' }, heading, ...content);
  dialog.addEventListener('close', () => {
    dialog.remove();
    if (opener?.isConnected) opener.focus();
  });
  dialog.addEventListener('pointerdown', (event) => {
    const box = dialog.getBoundingClientRect();
    const { clientX: x, clientY: y } = event;
    const isOutside = x < box.left || x > box.right || y < box.top || y > box.bottom;
    if (event.target === dialog && isOutside) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
