import { Anchor } from '@mantine/core';
import { t } from '../../messages/messages.ts';
import { CopyButton } from '../buttons/copy-button.tsx';
import styles from './add-device.module.css';
import { Fingerprint } from './fingerprint.tsx';
import { QrCode } from './qr-code.tsx';
import { SaveCertificate } from './save-certificate.tsx';
import { trustAddress } from './trust-address.ts';

interface AddDeviceProps {
  /** The most readable address for other devices. */
  readonly address: string;
  readonly fingerprint: string;
}

/** How phones and other computers get here and learn to trust this server: a code, an address, and the number to compare. */
export function AddDevice({ address, fingerprint }: AddDeviceProps) {
  const page = `${address.replace(/\/$/, '')}/trust`;
  return (
    <div className={styles.device}>
      <QrCode text={trustAddress(address, fingerprint)} label={t('trust.qr', { address: page })} />
      <div className={styles.words}>
        <p>{t('trust.scan')}</p>
        <p className={styles.line}>
          <Anchor href={page} target="_blank" rel="noopener">
            <code>{page}</code>
          </Anchor>
          <CopyButton text={page} name={t('common.copyOf', { what: page })} size="xs" />
        </p>
        <h3>{t('trust.number')}</h3>
        <p className={styles.help}>{t('trust.numberHelp')}</p>
        <Fingerprint of={fingerprint} />
        <SaveCertificate />
      </div>
    </div>
  );
}
