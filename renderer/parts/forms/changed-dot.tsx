import { t } from '../../messages/messages.ts';
import styles from './changed-dot.module.css';

/** A marker for unsaved changes. */
export function ChangedDot() {
  return <span className={styles.dot} role="img" aria-label={t('common.changed')} />;
}
