import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { FolderLook } from '../../server/control/contract/window.ts';
import { useTransport } from '../control/control.tsx';
import { useDesktop } from '../control/desktop.tsx';
import { Refusal } from '../transport/transport.ts';
import {
  type Answers,
  isField,
  NO_ANSWERS,
  neighbourOf,
  type Problems,
  problemsOf,
  setupOf,
  stepWith,
} from './answers.ts';
import { moveToPort, PortRefused } from './port.ts';
import { useStep } from './use-step.ts';

export type FolderOption = 'here' | 'elsewhere' | 'before';

/** Which folder was chosen for each of the options, and which option. */
export interface FolderChoice {
  /** Null as long as nobody has chosen. */
  readonly option: FolderOption | null;
  readonly looks: Partial<Record<FolderOption, FolderLook>>;
}

export type FirstRun = ReturnType<typeof useFirstRun>;

/**
 * How far the first run is, and what was typed in it. Held above everything that goes while the server is started again,
 * which another port takes.
 */
export function useFirstRun() {
  const transport = useTransport();
  const desktop = useDesktop();
  const queries = useQueryClient();
  const { step, goTo, show } = useStep();
  const [answers, setAnswers] = useState(NO_ANSWERS);
  const [folder, setFolder] = useState<FolderChoice>({ option: null, looks: {} });
  const [problems, setProblems] = useState<Problems>({});
  /** How often something was wrong: each time, the first field with a problem gets the focus. */
  const [complaints, setComplaints] = useState(0);

  /** First the port: should that fail, there is no owner yet, and all of it can be done again. */
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
      void queries.invalidateQueries({ queryKey: ['status'] });
      const field = error instanceof Refusal ? error.failure.field : undefined;
      if (error instanceof PortRefused) complain({ port: error.message });
      else if (isField(field)) complain({ [field]: error.message });
    },
  });

  /** Leads to the first step that something is wrong in. */
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
    problems,
    complaints,
    /** Why it was not set up, where that is about no field. */
    error: isOfField ? null : setUp.error,
    isBusy: setUp.isPending,
    isChanged: (Object.keys(NO_ANSWERS) as (keyof Answers)[]).some((name) => answers[name] !== NO_ANSWERS[name]),
    /** The step before, where there is one. */
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
    /** What comes next, may be another folder without an owner. */
    end(): void {
      show('you');
      // What was sent is held no longer: there is a password in it.
      setUp.reset();
    },
    /** Nothing was written before; now all of it is, or none. */
    finish(): void {
      if (setUp.isPending) return;
      const found = problemsOf(answers);
      if (stepWith(found) === undefined) setUp.mutate(answers);
      else complain(found);
    },
  };
}
