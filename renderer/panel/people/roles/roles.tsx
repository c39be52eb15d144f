import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useControl, useControlChange } from '../../../control/control.tsx';
import { useKey } from '../../../control/keys.ts';
import { addressOf } from '../../../control/routes.ts';
import { t } from '../../../messages/messages.ts';
import { RowMenu } from '../../../parts/buttons/row-menu.tsx';
import { Confirm } from '../../../parts/dialogs/confirm.tsx';
import { Empty, Loaded } from '../../../parts/loaded.tsx';
import { EmbeddedDate } from '../../../parts/relative-time.tsx';
import styles from '../../../parts/table.module.css';
import type { Role } from '../groups/group.ts';
import { PeoplePage } from '../people-page.tsx';

export function Roles() {
  const [removing, setRemoving] = useState<Role | null>(null);
  const list = useControl('roles.list', {});
  const add = addressOf('role', { id: 'new' });
  useKey(
    'n',
    () => {
      location.hash = add;
    },
    { what: t('keys.actions.add') },
  );
  return (
    <PeoplePage
      actions={
        <Button component="a" href={add} leftSection={<IconPlus size={18} stroke={1.75} />}>
          {t('people.roles.add')}
        </Button>
      }
    >
      <Loaded query={list} widths={[500, 440, 460]}>
        {({ roles }) =>
          roles.length === 0 ? (
            <Empty title={t('people.roles.empty')} help={t('people.roles.emptyHelp')} />
          ) : (
            <Table roles={roles} onRemove={setRemoving} />
          )
        }
      </Loaded>
      {removing !== null && <RemoveRole role={removing} onClose={() => setRemoving(null)} />}
    </PeoplePage>
  );
}

function Table({ roles, onRemove }: { readonly roles: readonly Role[]; readonly onRemove: (role: Role) => void }) {
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('people.roles.columns.name')}</th>
            <th scope="col" className={styles.number}>
              {t('people.roles.columns.people')}
            </th>
            <th scope="col" className={styles.wide}>
              {t('people.roles.columns.made')}
            </th>
            <th scope="col">
              <span className={styles.unseen}>{t('people.list.columns.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {roles.map((role) => (
            <tr key={role.id}>
              <th scope="row">
                <a className={styles.name} href={addressOf('role', { id: role.id })}>
                  {role.name}
                </a>
              </th>
              <td className={styles.number}>
                <a href={addressOf('users', { search: { role: String(role.id) } })}>
                  {role.accounts.toLocaleString('en-GB')}
                </a>
              </td>
              <td className={styles.wide}>
                <EmbeddedDate at={role.createdAt} />
              </td>
              <td className={styles.end}>
                <RowMenu
                  label={t('people.list.actionsOf', { name: role.name })}
                  items={[
                    {
                      word: t('people.roles.edit'),
                      run: () => {
                        location.hash = addressOf('role', { id: role.id });
                      },
                    },
                    { word: t('people.roles.remove'), isDanger: true, run: () => onRemove(role) },
                  ]}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RemoveRole({ role, onClose }: { readonly role: Role; readonly onClose: () => void }) {
  const remove = useControlChange('roles.remove', ['roles.list', 'accounts.list', 'accounts.get', 'activity.list']);
  return (
    <Confirm
      title={t('people.roles.removeTitle', { name: role.name })}
      loss={t('people.roles.removeLoss', { count: role.accounts })}
      label={t('people.roles.remove')}
      keep={t('people.roles.keep', { name: role.name })}
      change={remove}
      onDo={() => remove.mutate({ id: role.id, force: role.accounts > 0 }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
