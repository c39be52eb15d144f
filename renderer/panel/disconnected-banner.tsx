import { type Ref, useEffect } from 'react';
import { useConnection, useTransport } from '../control/control.tsx';
import { t } from '../messages/messages.ts';
import { CopyIcon } from '../parts/buttons/copy-button.tsx';
import { useSecondsUntil } from '../parts/relative-time.tsx';
import { useWaysIn } from '../states/use-ways-in.ts';
import { keepLeftPage } from '../transport/opening-link.ts';
import styles from './disconnected-banner.module.css';

/**
 * A banner while the connection to the server is lost: the reason, and what can be done. The page and its input stay.
 * @param height measures its height in the window
 */
export function DisconnectedBanner({ height }: { readonly height: Ref<HTMLDivElement> }) {
  const connection = useConnection();
  const { access } = useTransport();
  // Over the network, the sign-in form covers all of this.
  if (connection.kind === 'locked' && access !== null) return null;
  return (
    <section
      className={styles.away}
      ref={height}
      {...(connection.kind === 'open' ? {} : { 'aria-label': t('connection.title') })}
    >
      <div className={connection.kind === 'open' ? '' : styles.row}>
        <p role="status">
          {connection.kind === 'lost' && <strong>{t('common.noAnswer')}</strong>}
          {connection.kind === 'locked' && <Locked message={connection.message} />}
        </p>
        {connection.kind === 'lost' && <Countdown until={connection.retryAt} />}
        {connection.kind === 'locked' && <LinkCommand />}
      </div>
    </section>
  );
}

/** Requested only where it is shown: the window and other computers never need it. */
function LinkCommand() {
  const { command } = useWaysIn();
  return (
    <span className={styles.command}>
      <code>{command}</code>
      <CopyIcon text={command} name={t('common.copyOf', { what: command })} />
    </span>
  );
}

/** Outside of the live region, which would be read again every second. */
function Countdown({ until }: { readonly until: number }) {
  const seconds = useSecondsUntil(until);
  return (
    <span className={styles.again}>{seconds === 0 ? t('connection.now') : t('connection.again', { seconds })}</span>
  );
}

function Locked({ message }: { readonly message: string | null }) {
  useEffect(keepLeftPage, []);
  return (
    <>
      <strong>{t('connection.needsLink')}</strong> {message ?? t('connection.locked')} {t('connection.stays')}
    </>
  );
}
