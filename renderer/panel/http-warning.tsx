import { useControl, useControlChange } from '../control/control.tsx';
import { Note, reasonOf } from '../parts/note.tsx';
import { apiTexts } from '../texts/api.ts';
import styles from './panel.module.css';

const words = apiTexts.httpWarning;

/** On every page while plain HTTP is allowed. It cannot be closed: only what it warns of can be turned off. */
export function HttpWarning() {
  const status = useControl('status', {});
  const update = useControlChange('settings.update', ['status', 'settings.get', 'activity.list']);
  if (status.data?.httpTesting !== true) return null;
  return (
    <div className={styles.warning}>
      <Note tone="danger" action={{ word: words.off, run: () => update.mutate({ httpTesting: false }) }}>
        {words.text} {update.error === null ? '' : reasonOf(update.error)}
      </Note>
    </div>
  );
}
