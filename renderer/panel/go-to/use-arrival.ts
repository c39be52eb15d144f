import { useEffect, useState } from 'react';
import { type Route, useRoute } from '../../control/routes.ts';

/** Milliseconds for the page to read what it shows. */
const PATIENCE = 10_000;
/** As long as the field has the focus: it is seen also where it was chosen with the mouse. */
const ARRIVED = 'data-arrived';

/** A setting that was chosen, on the page where it is. */
export interface Goal {
  readonly route: Route;
  readonly label: string;
}

/**
 * Brings the focus to what was chosen, once its page shows it.
 * @param isFree whether nothing is over the page @returns takes what was chosen
 */
export function useArrival(isFree: boolean): (goal: Goal | null) => void {
  const [goal, setGoal] = useState<Goal | null>(null);
  const route = useRoute();
  useEffect(() => {
    // It may be asked first whether to leave.
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
  const timer = setTimeout(done, PATIENCE);
  // Whoever does something else meanwhile wants to be there.
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

/** The field with this label, or the heading; the label itself of a field that cannot be changed now. */
function called(label: string): HTMLElement | null {
  const main = document.querySelector('main');
  const named = [...(main?.querySelectorAll<HTMLElement>('label, h2') ?? [])].find((one) => ownText(one) === label);
  if (named === undefined) return null;
  const field = named instanceof HTMLLabelElement ? named.control : null;
  return field === null || field.matches(':disabled') ? named : field;
}

/** Without the marks beside it. */
function ownText({ childNodes }: Node): string {
  return [...childNodes].map((node) => (node instanceof Text ? node.data : '')).join('');
}

function show(element: HTMLElement): void {
  if (!element.matches('input, select, textarea, button')) element.tabIndex = -1;
  element.setAttribute(ARRIVED, '');
  element.addEventListener('blur', () => element.removeAttribute(ARRIVED), { once: true });
  element.focus({ preventScroll: true });
  // In the middle: what stays at the edges of the window lies over what is there.
  element.scrollIntoView({ block: 'center' });
}
