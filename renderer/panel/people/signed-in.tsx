import { Button } from '@mantine/core';
import { useControl, useControlChange } from '../../control/control.tsx';
import { EmbeddedDate } from '../../parts/moment.tsx';
import { RefusalNote } from '../../parts/note.tsx';
import { apiTexts } from '../../texts/api.ts';
import { peopleTexts } from '../../texts/people.ts';
import styles from './user.module.css';

const words = peopleTexts.user;
const STALE = ['sessions.list', 'authorizations.list', 'clients.list', 'activity.list'] as const;

/** The browsers and apps in which somebody is signed in, each of which can be signed out. */
export function SignedIn({ accountId }: { readonly accountId: number }) {
  const sessions = useControl('sessions.list', { accountId });
  const authorizations = useControl('authorizations.list', { accountId });
  const end = useControlChange('sessions.end', STALE);
  const revoke = useControlChange('authorizations.revoke', STALE);
  return (
    <>
      <div>
        <h3>{words.browsers}</h3>
        {sessions.data?.sessions.length === 0 && <p className={styles.help}>{words.noBrowsers}</p>}
        <ul className={styles.list}>
          {sessions.data?.sessions.map(({ id, browser, address, lastSeenAt }) => (
            <li key={id}>
              <span>
                {browser} <span className={styles.quiet}>{address}</span>
                <span className={styles.help}>
                  {words.lastSeen} <EmbeddedDate at={lastSeenAt} />
                </span>
              </span>
              <Button
                variant="default"
                size="xs"
                aria-label={words.endOf(browser)}
                onClick={() => end.mutate({ accountId, id })}
              >
                {words.end}
              </Button>
            </li>
          ))}
        </ul>
      </div>
      <div>
        <h3>{words.apps}</h3>
        {authorizations.data?.authorizations.length === 0 && <p className={styles.help}>{words.noApps}</p>}
        <ul className={styles.list}>
          {authorizations.data?.authorizations.map(({ id, client, scopes, username }) => (
            <li key={id}>
              <span>
                {client}
                <code className={styles.help}>{scopes.join(' ')}</code>
              </span>
              <Button
                variant="default"
                size="xs"
                aria-label={apiTexts.authorizations.revokeOf(client, username)}
                onClick={() => revoke.mutate({ id })}
              >
                {apiTexts.authorizations.revoke}
              </Button>
            </li>
          ))}
        </ul>
      </div>
      <RefusalNote error={end.error ?? revoke.error} />
    </>
  );
}
