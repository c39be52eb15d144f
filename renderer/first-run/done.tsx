import { Anchor, Button } from '@mantine/core';
import { useControl } from '../control/control.tsx';
import { addressOf } from '../control/routes.ts';
import { t } from '../messages/messages.ts';
import { CopyButton } from '../parts/buttons/copy-button.tsx';
import { RefusalNote } from '../parts/note.tsx';
import { Skeletons } from '../parts/skeletons.tsx';
import { Fingerprint } from '../parts/trust/fingerprint.tsx';
import { QrCode } from '../parts/trust/qr-code.tsx';
import { SaveCertificate } from '../parts/trust/save-certificate.tsx';
import { TrustSteps } from '../parts/trust/trust-steps.tsx';
import styles from './done.module.css';
import { FirstRunFoot, FirstRunFrame } from './first-run-frame.tsx';
import { filesAddress, forOthers } from './for-others.ts';

/** First run: the way to the files, and instructions for other devices. */
export function Done({ onOpen }: { readonly onOpen: () => void }) {
  const status = useControl('status', {});
  const settings = useControl('settings.get', {});
  const all = status.data?.addresses ?? [];
  const files = filesAddress(all);
  // The most readable one; without a network, or with a listener for this computer only, there is none.
  const [phones] = forOthers(all);
  const heading = t('firstRun.done.heading', { household: settings.data?.householdName ?? t('common.product') });
  return (
    <FirstRunFrame step="done" heading={heading} lead={t('firstRun.done.lead')}>
      <RefusalNote error={status.error ?? settings.error} />
      <section className={`${styles.card} ${styles.line}`} aria-labelledby="files">
        <div>
          <h2 id="files">{t('firstRun.done.files')}</h2>
          <p className={styles.below}>{t('firstRun.done.filesHelp')}</p>
          {files !== null && (
            <p className={styles.here}>
              <Anchor href={files} target="_blank" rel="noopener">
                <code>{files}</code>
              </Anchor>
              <CopyButton text={files} name={t('common.copyOf', { what: files })} size="xs" />
            </p>
          )}
        </div>
        {files !== null && (
          <Button component="a" href={files} target="_blank" rel="noopener" size="lg">
            {t('firstRun.done.openFiles')}
          </Button>
        )}
      </section>
      {phones === undefined ? (
        status.data !== undefined && <p className={styles.alone}>{t('firstRun.done.alone')}</p>
      ) : (
        <OtherDevices address={phones} addresses={all} fingerprint={status.data?.authorityFingerprint} />
      )}
      <p className={styles.developers}>
        {t('firstRun.done.developers')}{' '}
        <Anchor
          component="button"
          type="button"
          onClick={() => {
            location.hash = addressOf('clients', { search: { add: '1' } });
            onOpen();
          }}
        >
          {t('trust.addApp')}
        </Anchor>
      </p>
      <FirstRunFoot>
        <Button size="lg" variant="default" onClick={onOpen}>
          {t('firstRun.done.open')}
        </Button>
      </FirstRunFoot>
    </FirstRunFrame>
  );
}

interface OtherDevicesProps {
  readonly address: string;
  readonly addresses: readonly string[];
  readonly fingerprint: string | undefined;
}

/** How phones and other computers get here, and how they learn to trust it. */
function OtherDevices({ address: phones, addresses, fingerprint }: OtherDevicesProps) {
  return (
    <div className={styles.cards}>
      <section className={styles.card} aria-labelledby="addresses">
        <h2 id="addresses">{t('trust.phones')}</h2>
        <p className={styles.help}>{t('trust.phonesHelp')}</p>
        <QrCode text={`${phones.replace(/\/$/, '')}/files/`} label={t('trust.qr', { address: phones })} />
        <h3>{t('trust.others')}</h3>
        <ul className={styles.addresses}>
          {forOthers(addresses).map((address) => (
            <li key={address}>
              <Anchor href={address} target="_blank" rel="noopener">
                <code>{address}</code>
              </Anchor>
              <CopyButton text={address} name={t('common.copyOf', { what: address })} size="xs" />
            </li>
          ))}
        </ul>
      </section>
      <div className={styles.column}>
        <section className={styles.card} aria-labelledby="trust">
          <h2 id="trust">{t('trust.title')}</h2>
          <p className={styles.help}>{t('trust.help')}</p>
          <TrustSteps address={phones} />
        </section>
        <section className={`${styles.card} ${styles.line}`} aria-labelledby="fingerprint">
          <div>
            <h3 id="fingerprint">{t('firstRun.done.fingerprint')}</h3>
            {fingerprint === undefined ? <Skeletons widths={[280]} /> : <Fingerprint of={fingerprint} />}
          </div>
          <SaveCertificate />
        </section>
      </div>
    </div>
  );
}
