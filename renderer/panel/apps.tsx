import { IconPlug } from '@tabler/icons-react';
import { useControl } from '../control/control.tsx';
import { texts } from '../texts.ts';
import styles from './overview.module.css';

/** What an app is, as long as there is none. */
export function Apps() {
  const clients = useControl('clients.list', {});
  if (clients.data?.clients.length !== 0) return null;
  return (
    <section className={styles.hint} aria-labelledby="apps">
      <span className={styles.tile}>
        <IconPlug size={20} stroke={1.75} aria-hidden />
      </span>
      <div>
        <h2 id="apps">{texts.overview.apps}</h2>
        <p className={styles.help}>{texts.overview.appsHelp}</p>
      </div>
    </section>
  );
}
