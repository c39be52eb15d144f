import { Button } from '@mantine/core';
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
import { forOthers } from './for-others.ts';

/** First run: instructions for other devices. */
export function Done({ onOpen }: { readonly onOpen: () => void }) {
  const status = useControl('status', {});
  const settings = useControl('settings.get', {});
  const all = status.data?.addresses ?? [];
  // The most readable one; without a network, or with a listener for this computer only, there is none.
  const [phones] = forOthers(all);
  const addresses = phones === undefined ? all : forOthers(all);
  const heading = t('firstRun.done.heading', { household: settings.data?.householdName ?? t('common.product') });
  return (
    <FirstRunFrame step="done" heading={heading} lead={t('firstRun.done.lead')}>
      <RefusalNote error={status.error ?? settings.error} />
      <div className={styles.cards}>
        <section className={styles.card} aria-labelledby="addresses">
          <h2 id="addresses">{t('trust.phones')}</h2>
          <p className={styles.help}>{t('trust.phonesHelp')}</p>
          {status.data === undefined ? (
            <Skeletons widths={[240, 200]} />
          ) : (
            <>
              {phones !== undefined && <QrCode text={phones} label={t('trust.qr', { address: phones })} />}
              <h3>{phones === undefined ? t('trust.onlyHere') : t('trust.others')}</h3>
              <ul className={styles.addresses}>
                {addresses.map((address) => (
                  <li key={address}>
                    <code>{address}</code>
                    <CopyButton text={address} name={t('common.copyOf', { what: address })} size="xs" />
                  </li>
                ))}
              </ul>
            </>
          )}
        </section>
        <div className={styles.column}>
          <section className={styles.card} aria-labelledby="trust">
            <h2 id="trust">{t('trust.title')}</h2>
            <p className={styles.help}>{t('trust.help')}</p>
            {phones !== undefined && <TrustSteps address={phones} />}
          </section>
          <section className={`${styles.card} ${styles.line}`} aria-labelledby="fingerprint">
            <div>
              <h3 id="fingerprint">{t('firstRun.done.fingerprint')}</h3>
              {status.data === undefined ? (
                <Skeletons widths={[280]} />
              ) : (
                <Fingerprint of={status.data.authorityFingerprint} />
              )}
            </div>
            <SaveCertificate />
          </section>
          <section className={`${styles.card} ${styles.line}`} aria-labelledby="first-app">
            <div>
              <h3 id="first-app">{t('trust.app')}</h3>
              <p className={styles.below}>{t('trust.appHelp')}</p>
            </div>
            <Button
              variant="default"
              onClick={() => {
                location.hash = addressOf('clients', { search: { add: '1' } });
                onOpen();
              }}
            >
              {t('trust.addApp')}
            </Button>
          </section>
        </div>
      </div>
      <FirstRunFoot>
        <Button size="lg" onClick={onOpen}>
          {t('firstRun.done.open')}
        </Button>
      </FirstRunFoot>
    </FirstRunFrame>
  );
}
