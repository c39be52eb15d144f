import { Button } from '@mantine/core';
import { useControl } from '../control/control.tsx';
import { addressOf } from '../control/routes.ts';
import { CopyButton } from '../parts/buttons/copy-button.tsx';
import { RefusalNote } from '../parts/note.tsx';
import { Skeletons } from '../parts/skeletons.tsx';
import { Fingerprint } from '../parts/trust/fingerprint.tsx';
import { QrCode } from '../parts/trust/qr-code.tsx';
import { SaveCertificate } from '../parts/trust/save-certificate.tsx';
import { TrustSteps } from '../parts/trust/trust-steps.tsx';
import { firstRunTexts } from '../texts/first-run.ts';
import { texts } from '../texts/texts.ts';
import { trustTexts as trust } from '../texts/trust.ts';
import styles from './done.module.css';
import { FirstRunFoot, FirstRunFrame } from './first-run-frame.tsx';
import { forOthers } from './for-others.ts';

const words = firstRunTexts.done;

/** First run: what the other devices need. */
export function Done({ onOpen }: { readonly onOpen: () => void }) {
  const status = useControl('status', {});
  const settings = useControl('settings.get', {});
  const all = status.data?.addresses ?? [];
  // The friendliest; a computer without a network, or a Larder that listens here only, has none for others.
  const [phones] = forOthers(all);
  const addresses = phones === undefined ? all : forOthers(all);
  const heading = words.heading(settings.data?.householdName ?? texts.product);
  return (
    <FirstRunFrame step="done" heading={heading} lead={words.lead}>
      <RefusalNote error={status.error ?? settings.error} />
      <div className={styles.cards}>
        <section className={styles.card} aria-labelledby="addresses">
          <h2 id="addresses">{trust.phones}</h2>
          <p className={styles.help}>{trust.phonesHelp}</p>
          {status.data === undefined ? (
            <Skeletons widths={[240, 200]} />
          ) : (
            <>
              {phones !== undefined && <QrCode text={phones} label={trust.qr(phones)} />}
              <h3>{phones === undefined ? trust.onlyHere : trust.others}</h3>
              <ul className={styles.addresses}>
                {addresses.map((address) => (
                  <li key={address}>
                    <code>{address}</code>
                    <CopyButton text={address} what={address} size="xs" />
                  </li>
                ))}
              </ul>
            </>
          )}
        </section>
        <div className={styles.column}>
          <section className={styles.card} aria-labelledby="trust">
            <h2 id="trust">{trust.title}</h2>
            <p className={styles.help}>{trust.help}</p>
            {phones !== undefined && <TrustSteps address={phones} />}
          </section>
          <section className={`${styles.card} ${styles.line}`} aria-labelledby="fingerprint">
            <div>
              <h3 id="fingerprint">{words.fingerprint}</h3>
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
              <h3 id="first-app">{trust.app}</h3>
              <p className={styles.below}>{trust.appHelp}</p>
            </div>
            <Button
              variant="default"
              onClick={() => {
                location.hash = addressOf('clients', { search: { add: '1' } });
                onOpen();
              }}
            >
              {trust.addApp}
            </Button>
          </section>
        </div>
      </div>
      <FirstRunFoot>
        <Button size="lg" onClick={onOpen}>
          {words.open}
        </Button>
      </FirstRunFoot>
    </FirstRunFrame>
  );
}
