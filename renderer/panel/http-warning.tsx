import { useControl, useControlChange } from '../control/control.tsx';
import { t } from '../messages/messages.ts';
import { Note, reasonOf } from '../parts/note.tsx';
import styles from './panel.module.css';

/** Shown on every page while plain HTTP is allowed. It cannot be dismissed, only resolved. */
export function HttpWarning() {
  const status = useControl('status', {});
  const update = useControlChange('settings.update', ['status', 'settings.get', 'activity.list']);
  if (status.data?.httpTesting !== true) return null;
  return (
    <div className={styles.warning}>
      <Note
        tone="danger"
        action={{ word: t('panelApi.httpWarning.off'), run: () => update.mutate({ httpTesting: false }) }}
      >
        {t('panelApi.httpWarning.text')} {update.error === null ? '' : reasonOf(update.error)}
      </Note>
    </div>
  );
}
