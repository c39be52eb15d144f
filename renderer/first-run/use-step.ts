import { useEffect, useState } from 'react';
import { STEPS, type Step } from './answers.ts';

/** The key of the step in entries of the browser's history. */
const KEY = 'firstRunStep';

const isStep = (value: unknown): value is Step => STEPS.some((step) => step === value);

interface ShownStep {
  readonly step: Step;
  /** Shows another step, as a new entry of the browser's history. The address stays the same. */
  goTo(step: Step): void;
  /** Shows another step. */
  show(step: Step): void;
}

export function useStep(): ShownStep {
  const [step, show] = useState<Step>('you');
  return {
    ...{ step, show },
    goTo(next) {
      if (next === step) return;
      history.replaceState({ ...history.state, [KEY]: step }, '');
      history.pushState({ ...history.state, [KEY]: next }, '');
      show(next);
    },
  };
}

/** The browser's *Back* leads to the previous step, instead of away from the input. */
export function useBrowserBack({
  show,
  isHeld,
}: {
  readonly show: (step: Step) => void;
  readonly isHeld: boolean;
}): void {
  useEffect(() => {
    if (isHeld) return;
    const onPop = ({ state }: PopStateEvent) => {
      const shown: unknown = state?.[KEY];
      if (isStep(shown) && shown !== 'done') show(shown);
    };
    addEventListener('popstate', onPop);
    return () => removeEventListener('popstate', onPop);
  }, [show, isHeld]);
}
