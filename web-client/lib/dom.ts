// Helpers to find and create elements.

import { bidiIsolate } from './format.ts';

type Attribute = string | number | boolean | null | ((event: Event) => void);

/**
 * Creates an element. Content is added as text, never as markup.
 * @param attributes a function listens to the event of that name; `true` is an attribute without a value; `false` and `null` are
 * omitted
 */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, Attribute>> = {},
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null) element.setAttribute(name, String(value));
  }
  element.append(...content);
  return element;
}

/** Longer names may not fit, in characters. */
const LONG_NAME = 32;
/** Characters that stay visible at the end of a long name. */
const NAME_END = 8;

/** A name as content of an element: like `shownName` of the server, which explains it. */
export function shownName(name: string): Node | string {
  const characters = [...name];
  if (characters.length <= LONG_NAME) return bidiIsolate(name);
  const parts = [characters.slice(0, -NAME_END), characters.slice(-NAME_END)];
  const spans = parts.map((part) => make('span', {}, bidiIsolate(part.join(''))));
  return make('span', { class: 'cut', title: bidiIsolate(name) }, ...spans);
}

/** @param name of a drawing in the page's sprite */
export function sprite(name: string): SVGSVGElement {
  const namespace = 'http://www.w3.org/2000/svg';
  const drawing = document.createElementNS(namespace, 'svg');
  drawing.setAttribute('class', 'icon');
  drawing.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS(namespace, 'use');
  use.setAttribute('href', `#i-${name}`);
  drawing.append(use);
  return drawing;
}

/** The first element that matches, of a page that always has one. @throws Error when it has none */
export function required<Found extends Element = HTMLElement>(root: ParentNode, selector: string): Found {
  const found = root.querySelector<Found>(selector);
  if (found === null) throw new Error(`the page has no ${selector}`);
  return found;
}

export const elements = <Found extends Element = HTMLElement>(root: ParentNode, selector: string): Found[] => [
  ...root.querySelectorAll<Found>(selector),
];

/** The nearest matching element around the target of an event, the target included. */
export function closest<Found extends Element = HTMLElement>(
  target: EventTarget | null | undefined,
  selector: string,
): Found | null {
  return target instanceof Element ? target.closest<Found>(selector) : null;
}

export const matches = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.matches(selector);

/** Parses HTML of our own server. Scripts in it do not run. */
export const parseHtml = (text: string): Document => new DOMParser().parseFromString(text, 'text/html');

/** Announces a change to screen readers. */
export function announce(text: string): void {
  const region = required(document, '#say');
  region.textContent = '';
  requestAnimationFrame(() => {
    region.textContent = text;
  });
}

/** Writes only a different text, so that selections and screen readers are not disturbed. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
