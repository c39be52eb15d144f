import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useControl, useControlChange } from '../../control/control.tsx';
import { useKey } from '../../control/keys.ts';
import { usePlace } from '../../control/routes.ts';
import { t } from '../../messages/messages.ts';
import { Confirm } from '../../parts/dialogs/confirm.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { RefusalNote } from '../../parts/note.tsx';
import { ApiPage } from './api-page.tsx';
import type { Client } from './client.ts';
import { ClientForm } from './client-form.tsx';
import { ClientsTable } from './clients-table.tsx';
import { Credentials, type Shown } from './credentials.tsx';

/** The dialog over the list. */
type Over =
  | { readonly kind: 'add' }
  | { readonly kind: 'edit' | 'remove' | 'replace'; readonly client: Client }
  | { readonly kind: 'shown'; readonly shown: Shown };

/** The registered clients, and their actions. */
export function Clients() {
  const list = useControl('clients.list', {});
  // The end of the first run links here to add one.
  const [over, setOver] = useState<Over | null>(usePlace().search.has('add') ? { kind: 'add' } : null);
  const update = useControlChange('clients.update', ['clients.list', 'activity.list']);
  const close = () => setOver(null);
  useKey('n', () => setOver({ kind: 'add' }), { what: t('keys.actions.add') });
  return (
    <ApiPage
      action={
        <Button leftSection={<IconPlus stroke={1.75} />} onClick={() => setOver({ kind: 'add' })}>
          {t('panelApi.clients.add')}
        </Button>
      }
    >
      <RefusalNote error={update.error} />
      <Loaded query={list} widths={[600, 560, 580]}>
        {({ clients }) => (
          <ClientsTable
            clients={clients}
            onPick={(kind, client) => setOver({ kind, client })}
            onSwitch={({ clientId, enabled }) => update.mutate({ clientId, enabled: !enabled })}
          />
        )}
      </Loaded>
      {over?.kind === 'add' && (
        <ClientForm client={null} onClose={close} onAdded={(shown) => setOver({ kind: 'shown', shown })} />
      )}
      {over?.kind === 'edit' && <ClientForm client={over.client} onClose={close} onAdded={close} />}
      {over?.kind === 'shown' && <Credentials shown={over.shown} onDone={close} />}
      {over?.kind === 'remove' && <Remove client={over.client} onClose={close} />}
      {over?.kind === 'replace' && (
        <Replace client={over.client} onClose={close} onReplaced={(shown) => setOver({ kind: 'shown', shown })} />
      )}
    </ApiPage>
  );
}

function Remove({ client, onClose }: { readonly client: Client; readonly onClose: () => void }) {
  const remove = useControlChange('clients.remove', ['clients.list', 'authorizations.list', 'activity.list']);
  return (
    <Confirm
      title={t('panelApi.confirm.remove', { name: client.name })}
      loss={t('panelApi.confirm.removeLoss', { people: client.people })}
      label={t('panelApi.confirm.removeDo')}
      keep={t('panelApi.confirm.keep', { name: client.name })}
      change={remove}
      onDo={() => remove.mutate({ clientId: client.clientId }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}

interface ReplaceProps {
  readonly client: Client;
  readonly onClose: () => void;
  readonly onReplaced: (shown: Shown) => void;
}

function Replace({ client, onClose, onReplaced }: ReplaceProps) {
  const replace = useControlChange('clients.replaceSecret', ['activity.list']);
  const { clientId, name } = client;
  return (
    <Confirm
      title={t('panelApi.confirm.replace', { name })}
      loss={t('panelApi.confirm.replaceLoss')}
      label={t('panelApi.confirm.replaceDo')}
      keep={t('panelApi.confirm.keep', { name })}
      change={replace}
      onDo={() =>
        replace.mutate(
          { clientId },
          { onSuccess: ({ clientSecret }) => onReplaced({ name, clientId, clientSecret, isNew: false }) },
        )
      }
      onClose={onClose}
    />
  );
}
