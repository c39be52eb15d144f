import { Button } from '@mantine/core';
import { useControl, useControlChange } from '../../control/control.tsx';
import { rich, t } from '../../messages/messages.ts';
import { RefusalNote } from '../../parts/note.tsx';
import { EmbeddedDate } from '../../parts/relative-time.tsx';
import styles from './user/user.module.css';

const STALE = ['sessions.list', 'authorizations.list', 'appPasswords.list', 'clients.list', 'activity.list'] as const;

/** The sessions and apps of a person, each of which can be signed out. */
export function SignedIn({ accountId }: { readonly accountId: number }) {
  const sessions = useControl('sessions.list', { accountId });
  const authorizations = useControl('authorizations.list', { accountId });
  const end = useControlChange('sessions.end', STALE);
  const revoke = useControlChange('authorizations.revoke', STALE);
  return (
    <>
      <div>
        <h3>{t('people.user.browsers')}</h3>
        {sessions.data?.sessions.length === 0 && <p className={styles.help}>{t('people.user.noBrowsers')}</p>}
        <ul className={styles.list}>
          {sessions.data?.sessions.map(({ id, browser, address, lastSeenAt }) => (
            <li key={id}>
              <span>
                {browser} <span className={styles.quiet}>{address}</span>
                <span className={styles.help}>
                  {rich('people.user.lastSeen', { when: <EmbeddedDate at={lastSeenAt} /> })}
                </span>
              </span>
              <Button
                variant="default"
                size="xs"
                aria-label={t('people.user.endOf', { browser })}
                onClick={() => end.mutate({ accountId, id })}
              >
                {t('people.user.end')}
              </Button>
            </li>
          ))}
        </ul>
      </div>
      <div>
        <h3>{t('people.user.apps')}</h3>
        {authorizations.data?.authorizations.length === 0 && <p className={styles.help}>{t('people.user.noApps')}</p>}
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
                aria-label={t('panelApi.authorizations.revokeOf', { app: client, person: username })}
                onClick={() => revoke.mutate({ id })}
              >
                {t('panelApi.authorizations.revoke')}
              </Button>
            </li>
          ))}
        </ul>
      </div>
      <RefusalNote error={end.error ?? revoke.error} />
    </>
  );
}
