import { Button } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { ActionButton } from '../buttons/action-button.tsx';
import { RefusalNote } from '../note.tsx';
import styles from './confirm.module.css';
import { Dialog } from './dialog.tsx';

interface ConfirmProps {
  /** A question that names its object. */
  readonly title: string;
  /** What will be lost, and what stays. */
  readonly loss: string;
  /** The label of the confirmation, a verb. */
  readonly label: string;
  /** The label of cancelling, named after what it keeps. */
  readonly keep: string;
  readonly change: Pick<UseMutationResult<unknown, Error>, 'isPending' | 'error'>;
  readonly onDo: () => void;
  readonly onClose: () => void;
}

/** Asks for confirmation before something is lost. */
export function Confirm({ title, loss, label, keep, change, onDo, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose} width={440}>
      <p>{loss}</p>
      <RefusalNote error={change.error} />
      <div className={styles.buttons}>
        <Button variant="default" data-autofocus onClick={onClose}>
          {keep}
        </Button>
        <ActionButton variant="danger" isBusy={change.isPending} onClick={onDo}>
          {label}
        </ActionButton>
      </div>
    </Dialog>
  );
}
