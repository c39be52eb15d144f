import { Button } from '@mantine/core';
import { useControl } from '../control/control.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Fingerprint } from '../parts/fingerprint.tsx';
import { RefusalNote } from '../parts/note.tsx';
import { Skeletons } from '../parts/skeletons.tsx';
import { texts } from '../texts/texts.ts';
import styles from './done.module.css';
import { FirstRunFoot, FirstRunFrame } from './first-run-frame.tsx';

const words = texts.done;

/** Where other devices reach it: not by the name that every computer has for itself. */
const forOthers = (addresses: readonly string[]) =>
  addresses.filter((address) => new URL(address).hostname !== 'localhost');

/** First run: what the other devices need. */
export function Done({ onOpen }: { readonly onOpen: () => void }) {
  const status = useControl('status', {});
  const settings = useControl('settings.get', {});
  const heading = words.heading(settings.data?.householdName ?? texts.product);
  return (
    <FirstRunFrame step="done" heading={heading} lead={words.lead}>
      <RefusalNote error={status.error ?? settings.error} />
      <div className={styles.cards}>
        <section className={styles.card} aria-labelledby="addresses">
          <h2 id="addresses">{words.addresses}</h2>
          <p className={styles.help}>{words.addressesHelp}</p>
          {status.data === undefined ? (
            <Skeletons widths={[240, 200]} />
          ) : (
            <ul className={styles.addresses}>
              {forOthers(status.data.addresses).map((address) => (
                <li key={address}>
                  <code>{address}</code>
                  <CopyButton text={address} what={address} size="xs" />
                </li>
              ))}
            </ul>
          )}
        </section>
        <section className={styles.card} aria-labelledby="trust">
          <h2 id="trust">{words.trust}</h2>
          <p className={styles.help}>{words.trustHelp}</p>
          <ol className={styles.steps}>
            {words.trustSteps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          <h3>{words.fingerprint}</h3>
          {status.data === undefined ? (
            <Skeletons widths={[280]} />
          ) : (
            <Fingerprint of={status.data.authorityFingerprint} />
          )}
        </section>
      </div>
      <FirstRunFoot>
        <Button size="lg" onClick={onOpen}>
          {words.open}
        </Button>
      </FirstRunFoot>
    </FirstRunFrame>
  );
}
