import { Button } from '@mantine/core';
import { useState } from 'react';
import { useControl, useControlChange } from '../../../control/control.tsx';
import { t } from '../../../messages/messages.ts';
import { ActionButton } from '../../../parts/buttons/action-button.tsx';
import { Dialog } from '../../../parts/dialogs/dialog.tsx';
import styles from '../../../parts/forms/form.module.css';
import { RefusalNote } from '../../../parts/note.tsx';
import { Skeletons } from '../../../parts/skeletons.tsx';
import { PeoplePicker } from '../people-picker.tsx';
import type { Group } from './group.ts';

/** The members of a group. */
export function GroupMembers({ group, onClose }: { readonly group: Group; readonly onClose: () => void }) {
  const members = useControl('groups.members', { id: group.id });
  const [picked, setPicked] = useState<readonly string[] | null>(null);
  const save = useControlChange('groups.setMembers', [
    'groups.list',
    'groups.members',
    'accounts.list',
    'accounts.get',
    'activity.list',
  ]);
  const value = picked ?? members.data?.accountIds.map((id) => `u${id}`);
  return (
    <Dialog title={t('people.groups.membersTitle', { name: group.name })} onClose={onClose} keepsOpen>
      <div className={styles.form}>
        <RefusalNote error={save.error ?? members.error} />
        {value === undefined ? (
          members.error === null && <Skeletons widths={[400, 300]} />
        ) : (
          <PeoplePicker
            label={t('people.groups.members')}
            description={t('people.groups.membersHelp')}
            value={value}
            onChange={setPicked}
          />
        )}
        <div className={styles.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('people.add.cancel')}
          </Button>
          <ActionButton
            isBusy={save.isPending}
            isDisabled={value === undefined}
            onClick={() =>
              save.mutate(
                { id: group.id, accountIds: (value ?? []).map((one) => Number(one.slice(1))) },
                { onSuccess: onClose },
              )
            }
          >
            {t('people.groups.save')}
          </ActionButton>
        </div>
      </div>
    </Dialog>
  );
}
