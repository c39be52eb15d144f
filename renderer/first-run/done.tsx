import { Anchor, Button } from '@mantine/core';
import { useControl } from '../control/control.tsx';
import { useDesktop } from '../control/desktop.tsx';
import { addressOf } from '../control/routes.ts';
import { t } from '../messages/messages.ts';
import { CopyButton } from '../parts/buttons/copy-button.tsx';
import { RefusalNote } from '../parts/note.tsx';
import { AddDevice } from '../parts/trust/add-device.tsx';
import styles from './done.module.css';
import { FirstRunFoot, FirstRunFrame } from './first-run-frame.tsx';
import { filesAddress, forOthers } from './for-others.ts';

/** First run: the way to the files, and instructions for other devices. */
export function Done({ onOpen }: { readonly onOpen: () => void }) {
  const status = useControl('status', {});
  const settings = useControl('settings.get', {});
  const all = status.data?.addresses ?? [];
  const files = filesAddress(all, useDesktop() !== null);
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
        status.data !== undefined && <p className={styles.alone}>{t('trust.alone')}</p>
      ) : (
        <section className={`${styles.card} ${styles.devices}`} aria-labelledby="devices">
          <h2 id="devices">{t('trust.title')}</h2>
          <p className={styles.help}>{t('trust.help')}</p>
          {status.data !== undefined && <AddDevice address={phones} fingerprint={status.data.authorityFingerprint} />}
        </section>
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
