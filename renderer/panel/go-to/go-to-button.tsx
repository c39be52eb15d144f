import { ActionIcon } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { KeyCap } from '../../parts/key-cap.tsx';
import { keyTexts } from '../../texts/keys.ts';
import styles from './go-to.module.css';

const words = keyTexts.goTo;

/** At the top of the sidebar. */
export function GoToField({ onClick }: { readonly onClick: () => void }) {
  return (
    <button type="button" className={styles.field} aria-haspopup="dialog" onClick={onClick}>
      <IconSearch size={18} stroke={1.75} aria-hidden />
      <span className={styles.word}>{words.word}</span>
      <KeyCap of="mod+k" />
    </button>
  );
}

/** The same where there is no room for it. */
export function GoToIcon({ onClick }: { readonly onClick: () => void }) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={44}
      aria-label={words.word}
      aria-haspopup="dialog"
      onClick={onClick}
    >
      <IconSearch size={20} stroke={1.75} />
    </ActionIcon>
  );
}
