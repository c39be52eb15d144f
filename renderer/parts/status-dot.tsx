import styles from './status-dot.module.css';

export type Tone = 'good' | 'care' | 'danger' | 'off';

/** Decorative: text beside it says the same. */
export function StatusDot({ tone, large = false }: { readonly tone: Tone; readonly large?: boolean }) {
  return <span className={`${styles.dot} ${styles[tone]} ${large ? styles.large : ''}`} aria-hidden />;
}
