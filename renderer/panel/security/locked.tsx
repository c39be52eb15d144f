import { Anchor, Button } from '@mantine/core';
import { useControl, useControlChange } from '../../control/control.tsx';
import { addressOf } from '../../control/routes.ts';
import { t } from '../../messages/messages.ts';
import styles from '../../parts/forms/form.module.css';
import { RefusalNote } from '../../parts/note.tsx';
import { SettingGroup } from '../settings/settings-form.tsx';

/** Accounts that are blocked after wrong passwords. */
export function Locked() {
  const list = useControl('accounts.list', { state: 'deactivated', limit: 500 });
  const open = useControlChange('accounts.activate', ['accounts.list', 'accounts.get', 'activity.list']);
  const locked = list.data?.accounts.filter(({ failedLoginAttempts }) => failedLoginAttempts > 0) ?? [];
  return (
    <SettingGroup title={t('security.locked.title')}>
      {locked.length === 0 && <p className={styles.inside}>{t('security.locked.none')}</p>}
      {locked.map(({ id, name, username, failedLoginAttempts }) => (
        <div key={id} className={styles.entry}>
          <span>
            <Anchor href={addressOf('user', { id })}>{name}</Anchor>{' '}
            <span className={styles.inside}>{t('people.list.wrongPasswords', { count: failedLoginAttempts })}</span>
          </span>
          <Button
            variant="default"
            size="xs"
            aria-label={t('security.locked.openOf', { name })}
            onClick={() => open.mutate({ username })}
          >
            {t('security.locked.open')}
          </Button>
        </div>
      ))}
      <RefusalNote error={open.error} />
    </SettingGroup>
  );
}
