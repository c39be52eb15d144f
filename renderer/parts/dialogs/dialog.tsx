import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './dialog.module.css';
import { useReturnFocus } from './use-return-focus.ts';

interface DialogProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
  /**
   * For dialogs with input, or with content shown only once: a click outside does not close them. Escape does, unless `isFirm`.
   */
  readonly keepsOpen?: boolean;
  readonly isFirm?: boolean;
  /** Pixels at most. */
  readonly width?: number;
}

/** Centred over the page; the previous element gets the focus back afterwards. */
export function Dialog({ title, children, onClose, keepsOpen = false, isFirm = false, width = 560 }: DialogProps) {
  useReturnFocus();
  return (
    <Modal.Root
      opened
      onClose={onClose}
      size={width}
      closeOnClickOutside={!keepsOpen && !isFirm}
      closeOnEscape={!isFirm}
    >
      <Modal.Overlay />
      <Modal.Content className={styles.content ?? ''}>
        <Modal.Body className={styles.body ?? ''}>
          <Modal.Title className={styles.title ?? ''}>{title}</Modal.Title>
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
