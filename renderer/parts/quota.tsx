import { t } from '../messages/messages.ts';
import { size } from '../sizes.ts';
import styles from './quota.module.css';

const MEGABYTE = 1_048_576;

/** The thresholds for little and no space left. */
export function quotaState(usedBytes: number, quota: number): 'usual' | 'nearly' | 'full' {
  if (quota === 0) return 'usual';
  const share = usedBytes / (quota * MEGABYTE);
  return share >= 1 ? 'full' : share >= 0.9 ? 'nearly' : 'usual';
}

interface QuotaProps {
  readonly usedBytes: number;
  /** Megabytes; 0: no limit, and no bar. */
  readonly quota: number;
}

/** The used part of a quota. */
export function Quota({ usedBytes, quota }: QuotaProps) {
  const share = quota === 0 ? 0 : Math.min(1, usedBytes / (quota * MEGABYTE));
  return (
    <span className={styles.quota}>
      <span className={styles.numbers}>
        <span>{size(usedBytes)}</span>
        <span className={styles.of}>
          {quota === 0 ? t('people.list.noLimit') : t('people.list.quota', { quota: size(quota * MEGABYTE) })}
        </span>
      </span>
      {quota > 0 && (
        <svg
          className={`${styles.bar} ${styles[quotaState(usedBytes, quota)]}`}
          viewBox="0 0 100 4"
          preserveAspectRatio="none"
          aria-hidden
        >
          <rect width="100" height="4" className={styles.track ?? ''} />
          <rect width={share * 100} height="4" className={styles.fill ?? ''} />
        </svg>
      )}
    </span>
  );
}
