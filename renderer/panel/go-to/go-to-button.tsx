import { ActionIcon } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { t } from '../../messages/messages.ts';
import { KeyCap } from '../../parts/key-cap.tsx';
import styles from './go-to.module.css';

/** At the top of the sidebar. */
export function GoToField({ onClick }: { readonly onClick: () => void }) {
  return (
    <button type="button" className={styles.field} aria-haspopup="dialog" onClick={onClick}>
      <IconSearch size={18} stroke={1.75} aria-hidden />
      <span className={styles.word}>{t('goTo.open')}</span>
      <KeyCap of="mod+k" />
    </button>
  );
}

/** The same for small screens. */
export function GoToIcon({ onClick }: { readonly onClick: () => void }) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={44}
      aria-label={t('goTo.open')}
      aria-haspopup="dialog"
      onClick={onClick}
    >
      <IconSearch size={20} stroke={1.75} />
    </ActionIcon>
  );
}
