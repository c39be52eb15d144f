import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useControlChange } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { ActionButton } from '../../parts/buttons/action-button.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import styles from '../../parts/forms/form.module.css';
import { SwitchRow } from '../../parts/forms/switch-row.tsx';
import { Note, reasonOf } from '../../parts/note.tsx';
import { Refusal } from '../../transport/transport.ts';
import { type Account, fullName } from './account.ts';
import own from './user/user.module.css';

/** The location of a person's files. */
export function HomeFolder({ account }: { readonly account: Account }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={own.line}>
      <div>
        <strong>{t('people.user.fields.home')}</strong>
        <p className={own.help}>
          {account.homeFolder === null ? t('people.user.fields.noHome') : <code>{account.homeFolder}</code>}
        </p>
      </div>
      <Button variant="default" size="xs" onClick={() => setOpen(true)}>
        {t('people.user.fields.changeHome')}
      </Button>
      {isOpen && <Change account={account} onClose={() => setOpen(false)} />}
    </div>
  );
}

function Change({ account, onClose }: { readonly account: Account; readonly onClose: () => void }) {
  const [path, setPath] = useState(account.homeFolder ?? '');
  const [adopt, setAdopt] = useState(false);
  const update = useControlChange('accounts.update', ['accounts.list', 'accounts.get', 'homes.list', 'status']);
  const isOfPath = update.error instanceof Refusal && update.error.failure.field === 'homeFolder';
  return (
    <Dialog title={t('people.user.home.title', { name: fullName(account) })} onClose={onClose} keepsOpen>
      <div className={styles.form}>
        <TextInput
          label={t('people.user.home.path')}
          description={t('people.user.home.help')}
          data-autofocus
          spellCheck={false}
          value={path}
          error={isOfPath && update.error !== null ? reasonOf(update.error) : null}
          onChange={(event) => setPath(event.currentTarget.value)}
        />
        <SwitchRow
          label={t('people.user.home.adopt')}
          help={t('people.user.home.adoptHelp')}
          checked={adopt}
          onChange={setAdopt}
        />
        {account.homeFolder !== null && <p className={own.help}>{t('people.user.home.stays')}</p>}
        {update.error !== null && !isOfPath && <Note tone="danger">{reasonOf(update.error)}</Note>}
        <div className={styles.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('people.add.cancel')}
          </Button>
          <ActionButton
            isBusy={update.isPending}
            isDisabled={path.trim() === '' || path === account.homeFolder}
            onClick={() =>
              update.mutate({ id: account.id, homeFolder: path, adoptHomeFolder: adopt }, { onSuccess: onClose })
            }
          >
            {t('people.user.home.do')}
          </ActionButton>
        </div>
      </div>
    </Dialog>
  );
}
