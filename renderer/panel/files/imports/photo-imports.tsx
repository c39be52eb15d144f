import { useControl } from '../../../control/control.tsx';
import { t } from '../../../messages/messages.ts';
import { Note, reasonOf } from '../../../parts/note.tsx';
import { FilesHead } from '../files-head.tsx';
import { FolderForm } from './folder-form.tsx';
import { ImportRow } from './import-row.tsx';
import styles from './photo-imports.module.css';

/** Imports photos from a folder of the computer that Larder runs on, and shows the imports there were. */
export function PhotoImports() {
  const list = useControl('imports.list', {}, { every: 2_000 });
  const imports = list.data?.imports ?? [];
  return (
    <>
      <FilesHead />
      <div className={styles.page}>
        <FolderForm />
        {list.error !== null && (
          <Note tone="danger" action={{ word: t('common.tryAgain'), run: () => list.refetch() }}>
            {t('common.unread')} {reasonOf(list.error)}
          </Note>
        )}
        {imports.length > 0 && (
          <section className={styles.list} aria-label={t('photoImports.list.title')}>
            <h2>{t('photoImports.list.title')}</h2>
            <ul>
              {imports.map((one) => (
                <ImportRow key={one.import} record={one} />
              ))}
            </ul>
          </section>
        )}
      </div>
    </>
  );
}
