import { Button, type ButtonProps } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './action-button.module.css';

interface ActionButtonProps extends Pick<ButtonProps, 'variant' | 'size'> {
  readonly icon?: Icon;
  readonly isBusy?: boolean;
  /** While required input beside it is missing. */
  readonly isDisabled?: boolean;
  /** Omitted for a submit button. */
  readonly onClick?: () => void;
  readonly children: ReactNode;
}

/** A button that keeps its width and text during its action, and prevents a second click. */
export function ActionButton({
  icon: Picture,
  isBusy = false,
  isDisabled = false,
  onClick,
  children,
  ...look
}: ActionButtonProps) {
  const spinner = <span className={styles.spinner} aria-hidden />;
  return (
    <Button
      type={onClick === undefined ? 'submit' : 'button'}
      className={styles.button ?? ''}
      aria-busy={isBusy}
      disabled={isDisabled}
      leftSection={Picture === undefined ? null : isBusy ? spinner : <Picture stroke={1.75} aria-hidden />}
      onClick={() => {
        if (!isBusy) onClick?.();
      }}
      {...look}
    >
      {Picture === undefined && isBusy && spinner}
      {children}
    </Button>
  );
}
