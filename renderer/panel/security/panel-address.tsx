import { useControl } from '../../control/control.tsx';
import { CopyButton } from '../../parts/buttons/copy-button.tsx';
import { securityTexts } from '../../texts/settings.ts';
import styles from './panel-address.module.css';

const words = securityTexts.remote;

/** Where other devices open the panel, once they may. */
export function PanelAddress() {
  const settings = useControl('settings.get', {});
  const status = useControl('status', {});
  const [address] = status.data?.addresses ?? [];
  if (settings.data?.remotePanel !== true || address === undefined) return null;
  const panel = `${address}/panel/`;
  return (
    <div className={styles.address}>
      <span>{words.address}</span>
      <code>{panel}</code>
      <CopyButton text={panel} what={panel} size="xs" />
    </div>
  );
}
