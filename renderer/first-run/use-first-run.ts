import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { FolderState } from '../../server/control/contract/window.ts';
import { useTransport } from '../control/control.tsx';
import { useDesktop } from '../control/desktop.tsx';
import { Refusal } from '../transport/transport.ts';
import {
  type Answers,
  isField,
  NO_ANSWERS,
  neighbourOf,
  type Problems,
  setupOf,
  stepWith,
  storeAnswers,
  storedAnswers,
} from './answers.ts';
import { moveToPort, PortRefused } from './port.ts';
import { useCheck } from './use-check.ts';
import { useStep } from './use-step.ts';

export type FolderOption = 'here' | 'elsewhere' | 'before';

/** The chosen option, and the folder chosen for each. */
interface FolderChoice {
  /** Null while none is chosen. */
  readonly option: FolderOption | null;
  readonly looks: Partial<Record<FolderOption, FolderState>>;
}

export type FirstRun = ReturnType<typeof useFirstRun>;

/**
 * The state of the first run and its input. Held above components that are unmounted while the server restarts on another port.
 */
export function useFirstRun() {
  const transport = useTransport();
  const desktop = useDesktop();
  const queries = useQueryClient();
  const { step, goTo, show } = useStep();
  const [answers, setAnswers] = useState(storedAnswers);
  useEffect(() => storeAnswers(answers), [answers]);
  const [folder, setFolder] = useState<FolderChoice>({ option: null, looks: {} });
  const [problems, setProblems] = useState<Problems>({});
  const [isFinishing, setFinishing] = useState(false);
  const { live, checkNow, isChecking } = useCheck(answers, isFinishing);
  /** Number of failed submits: each focuses the first invalid field. */
  const [complaints, setComplaints] = useState(0);

  /** The port first: if it fails, there is no owner yet, and everything can be repeated. */
  const setUp = useMutation({
    async mutationFn(given: Answers) {
      if (desktop !== null && given.port !== null) await moveToPort(desktop, Number(given.port));
      await transport.invoke('setup', setupOf(given));
      await queries.invalidateQueries({ queryKey: ['status'] });
    },
    onSuccess() {
      setAnswers(NO_ANSWERS);
      show('done');
    },
    onError(error) {
      setFinishing(false);
      void queries.invalidateQueries({ queryKey: ['status'] });
      const field = error instanceof Refusal ? error.failure.field : undefined;
      if (error instanceof PortRefused) complain({ port: error.message });
      else if (isField(field)) complain({ [field]: error.message });
    },
  });

  /** Shows the first step with a problem. */
  function complain(found: Problems): void {
    setProblems(found);
    setComplaints((count) => count + 1);
    goTo(stepWith(found) ?? step);
  }

  const isOfField =
    setUp.error instanceof PortRefused || (setUp.error instanceof Refusal && isField(setUp.error.failure.field));
  const first = desktop === null ? 'you' : 'folder';
  return {
    step,
    answers,
    folder,
    /** Those of the last submit. */
    problems,
    /** The same, and those found while typing. */
    shown: { ...live, ...problems },
    checkNow,
    complaints,
    /** A failure that does not concern a field. */
    error: isOfField ? null : setUp.error,
    isBusy: isFinishing || isChecking,
    isChanged: (Object.keys(NO_ANSWERS) as (keyof Answers)[]).some((name) => answers[name] !== NO_ANSWERS[name]),
    /** The previous step, if there is one. */
    before: step === first ? null : neighbourOf(step, -1),
    goTo,
    show,
    complain,
    answer(changes: Partial<Answers>): void {
      setAnswers((others) => ({ ...others, ...changes }));
      const isSettled = (field: string) => Object.hasOwn(changes, field);
      setProblems((others) => Object.fromEntries(Object.entries(others).filter(([field]) => !isSettled(field))));
    },
    chooseFolder: (changes: (choice: FolderChoice) => FolderChoice) => setFolder(changes),
    /** The next folder may be without an owner, too. */
    end(): void {
      show('you');
      setFinishing(false);
      // Drops the input, because it contains a password.
      setUp.reset();
    },
    /** Everything was written together, or nothing. */
    async finish(): Promise<void> {
      if (isFinishing) return;
      setFinishing(true);
      const found = await checkNow();
      if (stepWith(found) === undefined) return setUp.mutate(answers);
      setFinishing(false);
      complain(found);
    },
  };
}
