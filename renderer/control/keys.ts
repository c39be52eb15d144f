import { useEffect, useRef, useSyncExternalStore } from 'react';

/**
 * Keyboard shortcuts. Single letters work outside of fields and dialogs only, and can be disabled, because speech input or a
 * resting hand could trigger them by mistake (WCAG 2.1.4). Those with Ctrl always work.
 */

interface Bound {
  /** `n`, `/`, `?`, or `mod+k`, where `mod` is Ctrl, on a Mac ⌘. */
  readonly key: string;
  /** For the list of shortcuts; not listed without it. */
  readonly what: string | undefined;
  readonly run: () => void;
}

const KEPT_AS = 'larder.letter-keys';
const bound = new Set<Bound>();
const listeners = new Set<() => void>();
let list: readonly Bound[] = [];
let areLettersOn = readSwitch();
let keep: (areOn: boolean) => void = keepInBrowser;

function readSwitch(): boolean {
  try {
    return globalThis.localStorage?.getItem(KEPT_AS) !== 'off';
  } catch {
    return true;
  }
}

export const isMac = /mac|iphone|ipad/i.test(globalThis.navigator?.userAgent ?? '');

function tell(): void {
  list = [...bound];
  for (const listener of listeners) listener();
}

function keyOf(event: KeyboardEvent): string {
  const isMod = isMac ? event.metaKey : event.ctrlKey;
  const others = event.altKey || (isMac ? event.ctrlKey : event.metaKey);
  // AltGr, which some keyboards need for these characters, is reported as Ctrl and Alt.
  if (others && !event.getModifierState('AltGraph')) return '';
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return isMod && !event.getModifierState('AltGraph') ? `mod+${key}` : key;
}

function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const key = keyOf(event);
  const isLetter = !key.startsWith('mod+');
  if (isLetter && (!areLettersOn || isTyping(event))) return;
  // The most recently added shortcut wins.
  const one = [...bound].reverse().find((each) => each.key === key);
  if (one === undefined) return;
  const isUnderSomething = document.querySelector('[role="dialog"], [role="menu"], dialog[open]') !== null;
  // Prevents the browser's own action for these keys.
  if (!isLetter || !isUnderSomething) event.preventDefault();
  if (!event.repeat && !isUnderSomething) one.run();
}

function bind(one: Bound): () => void {
  if (bound.size === 0) addEventListener('keydown', onKeyDown);
  bound.add(one);
  tell();
  return () => {
    bound.delete(one);
    if (bound.size === 0) removeEventListener('keydown', onKeyDown);
    tell();
  };
}

interface KeyOptions {
  /** For the list of shortcuts. */
  readonly what?: string;
  /** False while it has no effect. */
  readonly isOn?: boolean;
}

/** Binds a shortcut while the component is mounted. @param key `n`, `/`, `?`, or `mod+k` for Ctrl K and ⌘ K */
export function useKey(key: string, run: () => void, { what, isOn = true }: KeyOptions = {}): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (!isOn) return;
    return bind({ key, what, run: () => latest.current() });
  }, [key, what, isOn]);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The active shortcuts of this page, without duplicates. */
export function useKeyList(): readonly { readonly key: string; readonly what: string }[] {
  const all = useSyncExternalStore(subscribe, () => list);
  const last = new Map(all.flatMap(({ key, what }) => (what === undefined ? [] : [[key, what] as const])));
  return [...last].map(([key, what]) => ({ key, what }));
}

/** Whether single-letter shortcuts are enabled, and a function to change it. */
export function useLetterKeys(): readonly [boolean, (isOn: boolean) => void] {
  return [useSyncExternalStore(subscribe, () => areLettersOn), switchLetters];
}

function switchLetters(isOn: boolean): void {
  keep(isOn);
  setLetters(isOn);
}

function setLetters(areOn: boolean): void {
  if (areOn === areLettersOn) return;
  areLettersOn = areOn;
  tell();
}

function keepInBrowser(areOn: boolean): void {
  try {
    localStorage.setItem(KEPT_AS, areOn ? 'on' : 'off');
  } catch {
    // Without storage it is valid until the page is reloaded.
  }
}

/** Stores the setting outside of the browser. @param areOn its present value @param elsewhere stores a change */
export function keepLettersElsewhere(areOn: boolean, elsewhere: (areOn: boolean) => void): void {
  keep = elsewhere;
  setLetters(areOn);
}
