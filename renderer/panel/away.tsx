import { type Ref, useEffect } from 'react';
import { useConnection, useTransport } from '../control/control.tsx';
import { t } from '../messages/messages.ts';
import { CopyIcon } from '../parts/buttons/copy-button.tsx';
import { useSecondsUntil } from '../parts/moment.tsx';
import { useLinkCommand } from '../states/use-link-command.ts';
import { keepLeftPage } from '../transport/opening-link.ts';
import styles from './away.module.css';

/**
 * At the top while the server does not hear this page: what became of it, and what can be done. What the page shows stays, and
 * so does what is typed in it.
 * @param height measures how much of the window it takes
 */
export function Away({ height }: { readonly height: Ref<HTMLDivElement> }) {
  const connection = useConnection();
  const { access } = useTransport();
  // Over the network, what asks to sign in again stands over all of this.
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

/** Asked for only where it is shown: a window, and a page of another computer, never need it. */
function LinkCommand() {
  const command = useLinkCommand();
  return (
    <span className={styles.command}>
      <code>{command}</code>
      <CopyIcon text={command} name={t('common.copyOf', { what: command })} />
    </span>
  );
}

/** Beside what is read aloud, which would begin anew with each second. */
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
