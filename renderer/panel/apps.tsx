import { IconPlug } from '@tabler/icons-react';
import { useControl } from '../control/control.tsx';
import { t } from '../messages/messages.ts';
import styles from './overview.module.css';

/** A built-in client. */
const MOBILE_CLIENT = 'larder-mobile';

/** An explanation of apps, shown while none is added. */
export function Apps() {
  const clients = useControl('clients.list', {});
  const hasOwn = clients.data?.clients.some(({ clientId }) => clientId !== MOBILE_CLIENT) ?? true;
  if (hasOwn) return null;
  return (
    <section className={styles.hint} aria-labelledby="apps">
      <span className={styles.tile}>
        <IconPlug size={20} stroke={1.75} aria-hidden />
      </span>
      <div>
        <h2 id="apps">{t('overview.apps')}</h2>
        <p className={styles.help}>{t('overview.appsHelp')}</p>
      </div>
    </section>
  );
}
