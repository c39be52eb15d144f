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
import { PeoplePage } from '../people-page.tsx';
import type { Group } from './group.ts';
import { GroupMembers } from './group-members.tsx';
import { GroupName } from './group-name.tsx';

type Over = { readonly kind: 'add' } | { readonly kind: 'rename' | 'members' | 'remove'; readonly group: Group };

export function Groups() {
  const [over, setOver] = useState<Over | null>(null);
  const list = useControl('groups.list', {});
  const close = () => setOver(null);
  useKey('n', () => setOver({ kind: 'add' }), { what: t('keys.actions.add') });
  return (
    <PeoplePage
      actions={
        <Button leftSection={<IconPlus size={18} stroke={1.75} />} onClick={() => setOver({ kind: 'add' })}>
          {t('people.groups.add')}
        </Button>
      }
    >
      <Loaded query={list} widths={[500, 440, 460]}>
        {({ groups }) =>
          groups.length === 0 ? (
            <Empty title={t('people.groups.empty')} help={t('people.groups.emptyHelp')} />
          ) : (
            <Table groups={groups} onOpen={setOver} />
          )
        }
      </Loaded>
      {over?.kind === 'add' && <GroupName group={null} onClose={close} />}
      {over?.kind === 'rename' && <GroupName group={over.group} onClose={close} />}
      {over?.kind === 'members' && <GroupMembers group={over.group} onClose={close} />}
      {over?.kind === 'remove' && <RemoveGroup group={over.group} onClose={close} />}
    </PeoplePage>
  );
}

function Table({ groups, onOpen }: { readonly groups: readonly Group[]; readonly onOpen: (over: Over) => void }) {
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('people.groups.columns.name')}</th>
            <th scope="col" className={styles.number}>
              {t('people.groups.columns.members')}
            </th>
            <th scope="col" className={styles.wide}>
              {t('people.groups.columns.made')}
            </th>
            <th scope="col">
              <span className={styles.unseen}>{t('people.list.columns.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <tr key={group.id}>
              <th scope="row">
                <strong>{group.name}</strong>
                {group.ownerId !== null && <span className={styles.below}>{t('people.groups.ofAdministrator')}</span>}
              </th>
              <td className={styles.number}>
                <a href={addressOf('users', { search: { group: String(group.id) } })}>
                  {group.members.toLocaleString('en-GB')}
                </a>
              </td>
              <td className={styles.wide}>
                <EmbeddedDate at={group.createdAt} />
              </td>
              <td className={styles.end}>
                <RowMenu
                  label={t('people.list.actionsOf', { name: group.name })}
                  items={[
                    { word: t('people.groups.members'), run: () => onOpen({ kind: 'members', group }) },
                    { word: t('people.groups.rename'), run: () => onOpen({ kind: 'rename', group }) },
                    { word: t('people.groups.remove'), isDanger: true, run: () => onOpen({ kind: 'remove', group }) },
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

function RemoveGroup({ group, onClose }: { readonly group: Group; readonly onClose: () => void }) {
  const remove = useControlChange('groups.remove', ['groups.list', 'accounts.list', 'accounts.get', 'activity.list']);
  return (
    <Confirm
      title={t('people.groups.removeTitle', { name: group.name })}
      loss={t('people.groups.removeLoss', { members: group.members })}
      label={t('people.groups.remove')}
      keep={t('people.groups.keep', { name: group.name })}
      change={remove}
      onDo={() => remove.mutate({ id: group.id }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
