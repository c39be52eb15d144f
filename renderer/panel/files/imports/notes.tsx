import { IconChevronRight } from '@tabler/icons-react';
import { LOCALE, t } from '../../../messages/messages.ts';
import { FileName } from '../../../parts/file-name.tsx';
import styles from './photo-imports.module.css';

export interface NoteGroup {
  readonly reason: string;
  readonly count: number;
  /** The first ones. */
  readonly entries: readonly string[];
}

/** What was not understood, by reasons. */
export function Notes({ groups }: { readonly groups: readonly NoteGroup[] }) {
  if (groups.length === 0) return null;
  return (
    <div className={styles.notes}>
      {groups.map(({ reason, count, entries }) => (
        <details key={reason}>
          <summary>
            <IconChevronRight size={16} stroke={1.75} aria-hidden />
            <span>{t('imports.reason', { reason })}</span>
            <span className={styles.count}>{count.toLocaleString(LOCALE)}</span>
          </summary>
          <ul>
            {entries.map((entry) => (
              <li key={entry}>
                <FileName name={entry} />
              </li>
            ))}
            {count > entries.length && <li>{t('photoImports.notes.more', { count: count - entries.length })}</li>}
          </ul>
        </details>
      ))}
    </div>
  );
}
