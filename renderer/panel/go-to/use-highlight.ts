import { useEffect, useState } from 'react';
import { type Route, useRoute } from '../../control/routes.ts';

/** Milliseconds for the page to load its data. */
const TIMEOUT = 10_000;
/** Set while the field has the focus, so that it is highlighted even after a mouse click. */
const ARRIVED = 'data-arrived';

/** A chosen setting, and its page. */
export interface Goal {
  readonly route: Route;
  readonly label: string;
}

/**
 * Focuses the chosen target once its page shows it.
 * @param isFree whether nothing covers the page @returns sets the target
 */
export function useArrival(isFree: boolean): (goal: Goal | null) => void {
  const [goal, setGoal] = useState<Goal | null>(null);
  const route = useRoute();
  useEffect(() => {
    // The page may first ask for confirmation to leave.
    if (goal === null || !isFree || route !== goal.route) return;
    return whenThere(goal.label, () => setGoal(null));
  }, [goal, isFree, route]);
  return setGoal;
}

function whenThere(label: string, done: () => void): () => void {
  const look = () => {
    const found = called(label);
    if (found === null) return;
    show(found);
    done();
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  const timer = setTimeout(done, TIMEOUT);
  // Any other input cancels it.
  addEventListener('pointerdown', done);
  addEventListener('keydown', done);
  look();
  return () => {
    observer.disconnect();
    clearTimeout(timer);
    removeEventListener('pointerdown', done);
    removeEventListener('keydown', done);
  };
}

/** The field with this label, or the heading; the label itself for a disabled field. */
function called(label: string): HTMLElement | null {
  const main = document.querySelector('main');
  const named = [...(main?.querySelectorAll<HTMLElement>('label, h2') ?? [])].find((one) => ownText(one) === label);
  if (named === undefined) return null;
  const field = named instanceof HTMLLabelElement ? named.control : null;
  return field === null || field.matches(':disabled') ? named : field;
}

/** Without the markers beside it. */
function ownText({ childNodes }: Node): string {
  return [...childNodes].map((node) => (node instanceof Text ? node.data : '')).join('');
}

function show(element: HTMLElement): void {
  if (!element.matches('input, select, textarea, button')) element.tabIndex = -1;
  element.setAttribute(ARRIVED, '');
  element.addEventListener('blur', () => element.removeAttribute(ARRIVED), { once: true });
  element.focus({ preventScroll: true });
  // In the middle, because fixed bars cover the edges of the window.
  element.scrollIntoView({ block: 'center' });
}
