import { ActionIcon, Checkbox, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { memo } from 'react';
import { useControl } from '../../control/control.tsx';
import { addressOf } from '../../control/routes.ts';
import { t } from '../../messages/messages.ts';
import { Avatar } from '../../parts/avatar.tsx';
import { Quota, quotaState } from '../../parts/quota.tsx';
import { EmbeddedDate } from '../../parts/relative-time.tsx';
import { fullName, OWNER_ID, type Person } from './account.ts';
import styles from './people.module.css';

export type Action = 'signOut' | 'switch' | 'password' | 'remove';

interface PersonRowProps {
  readonly index: number;
  readonly kind: 'users' | 'guests' | 'administrators';
  /** Undefined while it is loading. */
  readonly person: Person | undefined;
  /** The name of the person's role; undefined without one. */
  readonly role: string | undefined;
  readonly isSelected: boolean;
  readonly onToggle: (ids: readonly number[], isOn: boolean) => void;
  readonly onAct: (action: Action, person: Person) => void;
}

export const PersonRow = memo(function PersonRow(props: PersonRowProps) {
  const { index, kind, person, role, isSelected, onToggle } = props;
  if (person === undefined) {
    return (
      <tr aria-rowindex={index + 2}>
        <td />
        <td colSpan={7}>
          <span className={styles.waiting} />
        </td>
      </tr>
    );
  }
  const notes = notesOf(person);
  return (
    <tr aria-rowindex={index + 2} className={isSelected ? styles.isSelected : ''}>
      <td className={styles.check}>
        <Checkbox
          size="sm"
          aria-label={t('people.list.select', { name: fullName(person) })}
          checked={isSelected}
          onChange={(event) => onToggle([person.id], event.currentTarget.checked)}
        />
      </td>
      <th scope="row" className={styles.who}>
        <span className={styles.person}>
          <Avatar name={person.name} tint={person.tint} />
          <span className={styles.names}>
            <a href={addressOf('user', { id: person.id })}>{fullName(person)}</a>
            <span className={styles.below}>
              <span className={notes.length > 0 ? styles.wide : ''}>{person.username}</span>
              {/* On small screens, instead of columns of their own. */}
              {notes.length > 0 && <span className={styles.narrow}>{notes[0]?.text}</span>}
            </span>
          </span>
        </span>
      </th>
      <td className={styles.wide}>
        {kind === 'guests' ? (
          <Inviter id={person.ownerId} />
        ) : person.id === OWNER_ID ? (
          t('people.list.owner')
        ) : (
          (role ?? t('people.list.noRole'))
        )}
      </td>
      <td className={`${styles.wide} ${styles.cut}`} title={person.groups.join(', ')}>
        {kind === 'administrators'
          ? t(`people.list.kinds.${person.adminType ?? 'simple'}`)
          : person.groups.length === 0
            ? t('people.list.noGroup')
            : person.groups.join(', ')}
      </td>
      <td className={styles.storage}>
        <Quota usedBytes={person.usedBytes} quota={person.quota} />
      </td>
      <td className={styles.wide}>
        {person.lastLoginAt === null ? t('people.list.never') : <EmbeddedDate at={person.lastLoginAt} />}
      </td>
      <td className={styles.wide}>
        <span className={styles.notes}>
          {notes.map(({ text, tone }) => (
            <span key={text} className={`${styles.note} ${styles[tone]}`}>
              {text}
            </span>
          ))}
        </span>
      </td>
      <td className={styles.end}>
        <Actions person={person} onAct={props.onAct} />
      </td>
    </tr>
  );
});

function Actions({ person, onAct }: { readonly person: Person; readonly onAct: PersonRowProps['onAct'] }) {
  const isOwner = person.id === OWNER_ID;
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={30}
          aria-label={t('people.list.actionsOf', { name: fullName(person) })}
        >
          <IconDots size={18} stroke={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={addressOf('user', { id: person.id })}>
          {t('people.list.open')}
        </Menu.Item>
        <Menu.Item onClick={() => onAct('signOut', person)}>{t('people.list.signOut')}</Menu.Item>
        {person.type !== 'guest' && (
          <Menu.Item onClick={() => onAct('password', person)}>{t('people.list.newPassword')}</Menu.Item>
        )}
        {!isOwner && (
          <>
            <Menu.Item onClick={() => onAct('switch', person)}>
              {person.activated ? t('people.list.switchOff') : t('people.list.switchOn')}
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item className={styles.danger ?? ''} onClick={() => onAct('remove', person)}>
              {t('people.list.remove')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function Inviter({ id }: { readonly id: number | null }) {
  const inviter = useControl('accounts.get', { id: id ?? OWNER_ID });
  return id === null || inviter.data === undefined ? t('people.list.noRole') : fullName(inviter.data);
}

/** Remarks on a person, the most important first. */
function notesOf(person: Person): { text: string; tone: 'care' | 'quiet' }[] {
  const notes: { text: string; tone: 'care' | 'quiet' }[] = [];
  if (!person.activated) notes.push({ text: t('people.list.off'), tone: 'quiet' });
  else if (person.expirationDate !== null && Date.parse(person.expirationDate) <= Date.now())
    notes.push({ text: t('people.list.ended'), tone: 'quiet' });
  const quota = quotaState(person.usedBytes, person.quota);
  if (quota === 'full') notes.push({ text: t('people.list.full'), tone: 'care' });
  if (quota === 'nearly') notes.push({ text: t('people.list.nearlyFull'), tone: 'care' });
  if (person.failedLoginAttempts > 0)
    notes.push({ text: t('people.list.wrongPasswords', { count: person.failedLoginAttempts }), tone: 'care' });
  if (!person.hasPassword && person.type === 'user') notes.push({ text: t('people.list.noPassword'), tone: 'quiet' });
  return notes;
}
