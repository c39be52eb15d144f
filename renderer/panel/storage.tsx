import { Anchor } from '@mantine/core';
import type { Output } from '../../server/control/contract/contract.ts';
import { useControl } from '../control/control.tsx';
import { addressOf } from '../control/routes.ts';
import { t } from '../messages/messages.ts';
import { Avatar } from '../parts/avatar.tsx';
import { quotaState } from '../parts/quota.tsx';
import { Section } from '../parts/section.tsx';
import { Skeletons } from '../parts/skeletons.tsx';
import { size } from '../sizes.ts';
import { fullName, type Person } from './people/account.ts';
import styles from './storage.module.css';

/** How many people are shown: those with the most files. */
const SHOWN = 5;
const MEGABYTE = 1_048_576;

type Disk = Output<'status'>['disks'][number];

/** The share of a disk that is left when it counts as almost full. */
const LOW = 0.05;

/** The free space of the disks, and the space used by each person, as bars in their avatar colour. */
export function Storage({ disks }: { readonly disks: readonly Disk[] }) {
  const most = useControl(
    'accounts.list',
    { kind: 'people', sort: 'used', order: 'desc', limit: SHOWN },
    { every: 30_000 },
  );
  const homes = useControl('homes.list', {});
  const total = homes.data?.homes.reduce((sum, { usedBytes }) => sum + usedBytes, 0);
  const people = most.data?.accounts ?? [];
  const widest = Math.max(1, ...people.map(({ usedBytes }) => usedBytes));
  return (
    <Section
      title={t('overview.storage.title')}
      aside={total === undefined ? '' : t('overview.storage.used', { used: size(total) })}
    >
      {most.data === undefined ? (
        most.error === null && <Skeletons widths={[300, 260, 220]} />
      ) : (
        <table className={styles.table} aria-label={t('overview.storage.title')}>
          <tbody>
            {people.map((person) => (
              <Row key={person.id} person={person} share={person.usedBytes / widest} />
            ))}
          </tbody>
        </table>
      )}
      {most.data !== undefined && most.data.total > SHOWN && (
        <p className={styles.more}>
          <Anchor href={addressOf('users', { search: { sort: 'used', order: 'desc' } })}>
            {t('overview.storage.all', { people: most.data.total })}
          </Anchor>
        </p>
      )}
      <Free disks={disks} />
    </Section>
  );
}

/** Paths are only needed to tell several disks apart. */
function Free({ disks }: { readonly disks: readonly Disk[] }) {
  if (disks.length === 0) return null;
  return (
    <ul className={styles.disks}>
      {disks.map(({ path, free, size: all }) => {
        const state = free < all * LOW ? 'low' : 'free';
        const amounts = { free: size(free), size: size(all) };
        return (
          <li key={path} className={state === 'low' ? styles.care : styles.quiet}>
            {disks.length === 1
              ? t(`overview.storage.${state}`, amounts)
              : t(`overview.storage.${state}On`, { ...amounts, path })}
          </li>
        );
      })}
    </ul>
  );
}

function Row({ person, share }: { readonly person: Person; readonly share: number }) {
  const state = quotaState(person.usedBytes, person.quota);
  return (
    <tr>
      <th scope="row">
        <span className={styles.who}>
          <Avatar name={person.name} tint={person.tint} small />
          <a href={addressOf('user', { id: person.id })}>{fullName(person)}</a>
        </span>
      </th>
      <td className={styles.bar}>
        <svg viewBox="0 0 100 10" preserveAspectRatio="none" className={styles[person.tint]} aria-hidden>
          <rect width={Math.max(person.usedBytes > 0 ? 1 : 0, share * 100)} height="10" rx="1" />
        </svg>
      </td>
      <td className={styles.amount}>
        <strong>{size(person.usedBytes)}</strong>
        {person.quota > 0 && (
          <span className={state === 'usual' ? styles.quiet : styles.care}>
            {' '}
            {t('overview.storage.of', { quota: size(person.quota * MEGABYTE) })}
          </span>
        )}
      </td>
    </tr>
  );
}
