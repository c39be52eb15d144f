import { t } from '../../messages/messages.ts';
import styles from './changed-dot.module.css';

/** Beside what is changed and not saved. */
export function ChangedDot() {
  return <span className={styles.dot} role="img" aria-label={t('common.changed')} />;
}
