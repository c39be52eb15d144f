import { useLate } from '../control/use-delay.ts';
import styles from './skeletons.module.css';

/** Placeholders, shown if loading takes long. @param widths of the rows, in pixels */
export function Skeletons({ widths }: { readonly widths: readonly number[] }) {
  const isLate = useLate(300);
  if (!isLate) return null;
  return (
    <div className={styles.rows} aria-hidden>
      {widths.map((width) => (
        <div className={styles.row} key={width}>
          <span className={styles.bar} style={{ width }} />
          <span className={styles.bar} style={{ width: 72 }} />
        </div>
      ))}
    </div>
  );
}
