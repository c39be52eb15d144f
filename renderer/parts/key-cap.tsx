import { isMac } from '../control/keys.ts';
import { t } from '../messages/messages.ts';
import styles from './key-cap.module.css';

/** A key as labelled on the keyboard. @param of in the format of `useKey`, or a name */
export function KeyCap({ of }: { readonly of: string }) {
  const mod = isMac ? t('keys.mac') : t('keys.other');
  const parts = of.split('+').map((part) => (part === 'mod' ? mod : part.length === 1 ? part.toUpperCase() : part));
  return <kbd className={styles.key}>{parts.join(' ')}</kbd>;
}
