import { useControl } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { CopyButton } from '../../parts/buttons/copy-button.tsx';
import styles from './panel-address.module.css';

/** The address of the panel for other devices, if allowed. */
export function PanelAddress() {
  const settings = useControl('settings.get', {});
  const status = useControl('status', {});
  const [address] = status.data?.addresses ?? [];
  if (settings.data?.remotePanel !== true || address === undefined) return null;
  const panel = `${address}/panel/`;
  return (
    <div className={styles.address}>
      <span>{t('security.remote.address')}</span>
      <code>{panel}</code>
      <CopyButton text={panel} name={t('common.copyOf', { what: panel })} size="xs" />
    </div>
  );
}
