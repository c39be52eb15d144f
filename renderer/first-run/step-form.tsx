import { Button } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { t } from '../messages/messages.ts';
import { ActionButton } from '../parts/buttons/action-button.tsx';
import { Note, reasonOf } from '../parts/note.tsx';
import { type AskingStep, FIELDS, type Field, neighbourOf, problemsIn } from './answers.ts';
import { FirstRunFoot, FirstRunFrame } from './first-run-frame.tsx';
import { LeavingQuestion } from './leaving-question.tsx';
import styles from './step-form.module.css';
import type { FirstRun } from './use-first-run.ts';
import { useBrowserBack } from './use-step.ts';

interface StepFormProps {
  readonly step: AskingStep;
  readonly firstRun: FirstRun;
  readonly heading: string;
  readonly lead: string;
  readonly children: ReactNode;
}

/** A step with questions: continues when its input is valid, and goes back at any time. The last one submits. */
export function StepForm({ step, firstRun, heading, lead, children }: StepFormProps) {
  const { before, complaints, isBusy } = firstRun;
  const form = useRef<HTMLFormElement>(null);
  const problems = problemsIn(step, firstRun.problems);
  const found = FIELDS[step].flatMap((field) => problems[field] ?? []);
  useBrowserBack({ show: firstRun.show, isHeld: isBusy });
  useEffect(() => {
    // Again with every failed submit, even for the same field.
    if (complaints > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [complaints]);

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isBusy) return;
    void goOn();
  }

  async function goOn(): Promise<void> {
    const next = neighbourOf(step, 1);
    if (next === 'done') return firstRun.finish();
    const wrong = problemsIn(step, await firstRun.checkNow());
    if (Object.keys(wrong).length > 0) firstRun.complain(wrong);
    else if (next !== null) firstRun.goTo(next);
  }

  return (
    <FirstRunFrame step={step} heading={heading} lead={lead}>
      <form className={styles.form} ref={form} onSubmit={submit} noValidate>
        {step === 'apps' && firstRun.error !== null && (
          <Note tone="danger">
            {reasonOf(firstRun.error)} {t('firstRun.kept')}
          </Note>
        )}
        {found.length > 1 && <Note tone="danger">{found.join(' ')}</Note>}
        {children}
        <FirstRunFoot>
          {before !== null && (
            <Button
              variant="subtle"
              color="gray"
              onClick={() => {
                if (!isBusy) firstRun.goTo(before);
              }}
            >
              {t('firstRun.back')}
            </Button>
          )}
          <ActionButton size="lg" isBusy={isBusy}>
            {step === 'apps' ? t('firstRun.apps.submit') : t('firstRun.next')}
          </ActionButton>
        </FirstRunFoot>
      </form>
      {firstRun.isChanged && <LeavingQuestion />}
    </FirstRunFrame>
  );
}

type TypedField = Exclude<Field, 'port'>;

/** The properties of a text field for an answer. */
export function textFieldOf({ answers, answer, shown }: FirstRun, field: TypedField) {
  return {
    name: field,
    value: answers[field],
    error: problemOf(shown[field]),
    onChange: (event: { currentTarget: { value: string } }) => answer({ [field]: event.currentTarget.value }),
  };
}

/** The error below a field. */
export function problemOf(text: string | undefined): ReactNode {
  if (text === undefined) return null;
  return (
    <span className={styles.problem}>
      <IconAlertCircle size={18} stroke={1.75} aria-hidden />
      {text}
    </span>
  );
}
