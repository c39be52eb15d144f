import { isMac } from '../control/keys.ts';
import { t } from '../messages/messages.ts';
import styles from './key-cap.module.css';

/** A key as it stands on the keyboard. @param of as `useKey` takes it, or a word */
export function KeyCap({ of }: { readonly of: string }) {
  const mod = isMac ? t('keys.mac') : t('keys.other');
  const parts = of.split('+').map((part) => (part === 'mod' ? mod : part.length === 1 ? part.toUpperCase() : part));
  return <kbd className={styles.key}>{parts.join(' ')}</kbd>;
}
