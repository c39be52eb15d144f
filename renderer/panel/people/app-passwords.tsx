import { Button } from '@mantine/core';
import { useControl, useControlChange } from '../../control/control.tsx';
import { rich, t } from '../../messages/messages.ts';
import { RefusalNote } from '../../parts/note.tsx';
import { EmbeddedDate } from '../../parts/relative-time.tsx';
import styles from './user/user.module.css';

const STALE = ['appPasswords.list', 'activity.list'] as const;

/** The app passwords of a person, without the passwords themselves. */
export function AppPasswords({ accountId }: { readonly accountId: number }) {
  const passwords = useControl('appPasswords.list', { accountId });
  const revoke = useControlChange('appPasswords.revoke', STALE);
  return (
    <>
      <div>
        <h3>{t('people.user.appPasswords')}</h3>
        {passwords.data?.appPasswords.length === 0 && <p className={styles.help}>{t('people.user.noAppPasswords')}</p>}
        <ul className={styles.list}>
          {passwords.data?.appPasswords.map(({ id, label, app, createdAt, lastUsedAt, lastAddress }) => (
            <li key={id}>
              <span>
                {label}{' '}
                {app !== null && <span className={styles.quiet}>{t('people.user.appPassword.by', { app })}</span>}
                <span className={styles.help}>
                  {rich('people.user.appPassword.created', { when: <EmbeddedDate at={createdAt} /> })}
                  {' · '}
                  {lastUsedAt === null
                    ? t('people.user.appPassword.unused')
                    : rich('people.user.appPassword.used', {
                        when: <EmbeddedDate at={lastUsedAt} />,
                        address: lastAddress,
                      })}
                </span>
              </span>
              <Button
                variant="default"
                size="xs"
                aria-label={t('people.user.appPassword.revokeOf', { label })}
                onClick={() => revoke.mutate({ accountId, id })}
              >
                {t('people.user.appPassword.revoke')}
              </Button>
            </li>
          ))}
        </ul>
      </div>
      <RefusalNote error={revoke.error} />
    </>
  );
}
