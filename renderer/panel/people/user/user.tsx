import { Anchor } from '@mantine/core';
import { IconChevronLeft } from '@tabler/icons-react';
import { useState } from 'react';
import { useControl, useControlChange } from '../../../control/control.tsx';
import { addressOf, usePlace } from '../../../control/routes.ts';
import { rich, t } from '../../../messages/messages.ts';
import { Avatar } from '../../../parts/avatar.tsx';
import { ActionButton } from '../../../parts/buttons/action-button.tsx';
import { useToast } from '../../../parts/dialogs/toasts.tsx';
import { Heading } from '../../../parts/heading.tsx';
import { Note, RefusalNote, reasonOf } from '../../../parts/note.tsx';
import { EmbeddedDate } from '../../../parts/relative-time.tsx';
import { Skeletons } from '../../../parts/skeletons.tsx';
import { Refusal } from '../../../transport/transport.ts';
import { type Account, fullName, OWNER_ID } from '../account.ts';
import { RemovePerson } from '../remove-person.tsx';
import styles from './user.module.css';
import { UserForm } from './user-form.tsx';

/** The page of one person. */
export function User() {
  const { id } = usePlace();
  const account = useControl('accounts.get', { id: Number(id) });
  if (account.error instanceof Refusal) {
    return (
      <>
        <Heading title={t('people.user.gone')} />
        <p className={styles.lead}>{t('people.user.goneHelp')}</p>
        <p>
          <Anchor href={addressOf('users')}>{t('people.user.toList')}</Anchor>
        </p>
      </>
    );
  }
  if (account.data === undefined) {
    if (account.error === null) return <Skeletons widths={[300, 500, 460]} />;
    return (
      <Note tone="danger" action={{ word: t('common.tryAgain'), run: () => account.refetch() }}>
        {t('common.unread')} {reasonOf(account.error)}
      </Note>
    );
  }
  return (
    <>
      <Head account={account.data} />
      <UserForm key={account.data.id} saved={account.data} />
    </>
  );
}

function Head({ account }: { readonly account: Account }) {
  const [isRemoving, setRemoving] = useState(false);
  const say = useToast();
  const roles = useControl('roles.list', {});
  const face = useControl('accounts.face', { id: account.id }).data;
  const signOut = useControlChange('sessions.end', [
    'sessions.list',
    'authorizations.list',
    'appPasswords.list',
    'activity.list',
  ]);
  const role = roles.data?.roles.find(({ id }) => id === account.roleId)?.name;
  const isOwner = account.id === OWNER_ID;
  const about = [account.username, ...(isOwner ? [t('people.list.owner')] : role === undefined ? [] : [role])];
  return (
    <div className={styles.head}>
      <a className={styles.back} href={addressOf(account.type === 'guest' ? 'guests' : 'users')}>
        <IconChevronLeft size={16} stroke={1.75} aria-hidden />
        {t('people.user.back')}
      </a>
      <div className={styles.title}>
        <Avatar name={account.name} tint={account.tint} picture={face?.picture ?? null} large />
        <div className={styles.names}>
          <Heading title={fullName(account)} />
          <p>
            {[...about, ...(account.groups.length > 0 ? [account.groups.join(', ')] : [])].join(' · ')}
            {' · '}
            {account.lastLoginAt === null
              ? t('people.user.neverSignedIn')
              : rich('people.user.signedIn', { when: <EmbeddedDate at={account.lastLoginAt} /> })}
          </p>
        </div>
        <div className={styles.actions}>
          <ActionButton
            variant="default"
            isBusy={signOut.isPending}
            onClick={() =>
              signOut.mutate(
                { accountId: account.id },
                { onSuccess: () => say(t('people.list.signedOut', { name: fullName(account) })) },
              )
            }
          >
            {t('people.list.signOut')}
          </ActionButton>
          {!isOwner && (
            <ActionButton variant="default" onClick={() => setRemoving(true)}>
              {t('people.list.remove')}
            </ActionButton>
          )}
        </div>
      </div>
      <RefusalNote error={signOut.error} />
      {isRemoving && (
        <RemovePerson
          person={account}
          onClose={() => setRemoving(false)}
          onRemoved={() => {
            location.hash = addressOf(account.type === 'guest' ? 'guests' : 'users');
          }}
        />
      )}
    </div>
  );
}
