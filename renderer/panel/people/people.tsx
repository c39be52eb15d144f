import { Button } from '@mantine/core';
import { IconDownload, IconFileImport, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useControlChange, useTransport } from '../../control/control.tsx';
import { useKey } from '../../control/keys.ts';
import { t } from '../../messages/messages.ts';
import { useToast } from '../../parts/dialogs/toasts.tsx';
import { RefusalNote } from '../../parts/note.tsx';
import { useSaveAs } from '../../save-as.ts';
import { fullName, type Kind, type Person } from './account.ts';
import { AddUser } from './add-user.tsx';
import { ImportPeople } from './import/import-people.tsx';
import { NewPassword } from './new-password.tsx';
import { PeopleList } from './people-list.tsx';
import { PeoplePage } from './people-page.tsx';
import type { Action } from './person-row.tsx';
import { RemoveMany, RemovePerson } from './remove-person.tsx';

/** The dialog over the list. */
type Over =
  | { readonly kind: 'add' | 'import' }
  | { readonly kind: 'password' | 'remove'; readonly person: Person }
  | { readonly kind: 'removeMany'; readonly ids: readonly number[] };

/** All accounts, or the guests or administrators among them. */
export function People({ kind }: { readonly kind: Kind }) {
  const [over, setOver] = useState<Over | null>(null);
  const [problem, setProblem] = useState<Error | null>(null);
  const say = useToast();
  const transport = useTransport();
  const saveAs = useSaveAs();
  const stale = [
    'accounts.list',
    'accounts.get',
    'sessions.list',
    'authorizations.list',
    'appPasswords.list',
    'activity.list',
  ] as const;
  const update = useControlChange('accounts.update', stale);
  const signOut = useControlChange('sessions.end', stale);
  const close = () => setOver(null);
  useKey('n', () => setOver({ kind: 'add' }), { what: t('keys.actions.add'), isOn: kind === 'users' });

  function act(action: Action, person: Person): void {
    setProblem(null);
    const onError = setProblem;
    if (action === 'switch') update.mutate({ id: person.id, activated: !person.activated }, { onError });
    else if (action === 'signOut') {
      const onSuccess = () => say(t('people.list.signedOut', { name: fullName(person) }));
      signOut.mutate({ accountId: person.id }, { onSuccess, onError });
    } else setOver({ kind: action, person });
  }

  return (
    <PeoplePage
      actions={
        kind === 'users' && (
          <>
            <Button
              variant="default"
              leftSection={<IconDownload size={18} stroke={1.75} />}
              onClick={() =>
                transport
                  .invoke('accounts.export', {})
                  .then(({ csv }) => saveAs(t('people.import.exported'), 'text/csv', csv))
                  .catch(setProblem)
              }
            >
              {t('people.list.export')}
            </Button>
            <Button
              variant="default"
              leftSection={<IconFileImport size={18} stroke={1.75} />}
              onClick={() => setOver({ kind: 'import' })}
            >
              {t('people.list.import')}
            </Button>
            <Button leftSection={<IconPlus size={18} stroke={1.75} />} onClick={() => setOver({ kind: 'add' })}>
              {t('people.list.add')}
            </Button>
          </>
        )
      }
    >
      <RefusalNote error={problem} />
      <PeopleList key={kind} kind={kind} onAct={act} onRemoveMany={(ids) => setOver({ kind: 'removeMany', ids })} />
      {over?.kind === 'add' && <AddUser onClose={close} />}
      {over?.kind === 'import' && <ImportPeople onClose={close} />}
      {over?.kind === 'password' && <NewPassword person={over.person} onClose={close} />}
      {over?.kind === 'remove' && <RemovePerson person={over.person} onClose={close} onRemoved={close} />}
      {over?.kind === 'removeMany' && <RemoveMany ids={over.ids} onClose={close} />}
    </PeoplePage>
  );
}
