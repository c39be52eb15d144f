import { useEffect, useState } from 'react';
import { STEPS, type Step } from './answers.ts';

/** Under which an entry of the browser's history holds the step that was shown. */
const KEY = 'firstRunStep';

const isStep = (value: unknown): value is Step => STEPS.some((step) => step === value);

interface ShownStep {
  readonly step: Step;
  /** Shows another one, which gets its place in the browser's history. The address stays as it is. */
  goTo(step: Step): void;
  /** Shows another one. */
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

/** As long as a step is asked: the browser's *Back* leads to the one before, and not away from what was typed. */
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
