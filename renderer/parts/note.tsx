import { Anchor } from '@mantine/core';
import { IconAlertCircle, IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../messages/messages.ts';
import { Unanswered } from '../transport/transport.ts';
import styles from './note.module.css';

interface NoteProps {
  readonly tone: 'danger' | 'care';
  readonly children: ReactNode;
  /** An action offered with the note. */
  readonly action?: { readonly word: string; readonly run: () => unknown };
}

/** Errors are announced to screen readers; other notes are not. */
export function Note({ tone, children, action }: NoteProps) {
  const Icon = tone === 'danger' ? IconAlertCircle : IconAlertTriangle;
  const role = tone === 'danger' ? { role: 'alert', tabIndex: -1 } : {};
  return (
    <div className={`${styles.note} ${styles[tone]}`} {...role}>
      <Icon size={18} stroke={1.75} aria-hidden />
      <div className={styles.words}>{children}</div>
      {action !== undefined && (
        <Anchor component="button" type="button" onClick={() => void action.run()}>
          {action.word}
        </Anchor>
      )}
    </div>
  );
}

/** The error of a failed change. */
export function RefusalNote({ error }: { readonly error: Error | null }) {
  return error === null ? null : <Note tone="danger">{reasonOf(error)}</Note>;
}

/** An error as text for people. */
export function reasonOf(error: Error): string {
  return error instanceof Unanswered ? t('common.noAnswer') : error.message;
}
