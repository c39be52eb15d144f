import { type Ref, useEffect } from 'react';
import { useConnection, useTransport } from '../control/control.tsx';
import { CopyIcon } from '../parts/buttons/copy-button.tsx';
import { useSecondsUntil } from '../parts/moment.tsx';
import { useLinkCommand } from '../states/use-link-command.ts';
import { texts } from '../texts/texts.ts';
import { keepLeftPage } from '../transport/opening-link.ts';
import styles from './away.module.css';

const words = texts.away;

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
      {...(connection.kind === 'open' ? {} : { 'aria-label': words.title })}
    >
      <div className={connection.kind === 'open' ? '' : styles.row}>
        <p role="status">
          {connection.kind === 'lost' && <strong>{texts.noAnswer}</strong>}
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
      <CopyIcon text={command} what={command} />
    </span>
  );
}

/** Beside what is read aloud, which would begin anew with each second. */
function Countdown({ until }: { readonly until: number }) {
  const seconds = useSecondsUntil(until);
  return <span className={styles.again}>{seconds === 0 ? words.now : words.again(seconds)}</span>;
}

function Locked({ message }: { readonly message: string | null }) {
  useEffect(keepLeftPage, []);
  return (
    <>
      <strong>{texts.locked.heading}.</strong> {message ?? words.locked} {words.stays}
    </>
  );
}
