import { Button, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useControlChange } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { ActionButton } from '../../parts/buttons/action-button.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import styles from '../../parts/forms/form.module.css';
import { SwitchRow } from '../../parts/forms/switch-row.tsx';
import { RefusalNote } from '../../parts/note.tsx';
import { Refusal } from '../../transport/transport.ts';
import type { Client } from './client.ts';
import type { Shown } from './credentials.tsx';

interface ClientFormProps {
  /** Null for a new one. */
  readonly client: Client | null;
  readonly onClose: () => void;
  /** Called with the credentials to be shown once; not for a changed client. */
  readonly onAdded: (shown: Shown) => void;
}

/** Adds or edits a client. After an error the input stays. */
export function ClientForm({ client, onClose, onAdded }: ClientFormProps) {
  const [name, setName] = useState(client?.name ?? '');
  const [uris, setUris] = useState((client?.redirectUris ?? []).join('\n'));
  const [publisher, setPublisher] = useState(client?.publisher ?? '');
  const [website, setWebsite] = useState(client?.website ?? '');
  const [isPublic, setPublic] = useState(false);
  const [isNameless, setNameless] = useState(false);
  const stale = ['clients.list', 'activity.list'] as const;
  const add = useControlChange('clients.add', stale);
  const update = useControlChange('clients.update', stale);
  const change = client === null ? add : update;
  const refusal = change.error instanceof Refusal ? change.error.failure : null;
  const problemOf = (field: string) => (refusal?.field === field ? refusal.error : null);
  const isOfField = ['name', 'redirectUris', 'publisher', 'website'].includes(refusal?.field ?? '');

  function submit(event: FormEvent): void {
    event.preventDefault();
    setNameless(name.trim() === '');
    if (change.isPending || name.trim() === '') return;
    const redirectUris = uris
      .split('\n')
      .map((uri) => uri.trim())
      .filter((uri) => uri !== '');
    const details = { name, redirectUris, publisher, website };
    if (client === null) {
      add.mutate(
        { ...details, public: isPublic },
        { onSuccess: ({ clientId, clientSecret }) => onAdded({ name, clientId, clientSecret, isNew: true }) },
      );
    } else update.mutate({ clientId: client.clientId, ...details }, { onSuccess: onClose });
  }

  return (
    <Dialog
      title={client === null ? t('panelApi.form.addTitle') : t('panelApi.form.editTitle', { name: client.name })}
      onClose={onClose}
      keepsOpen
    >
      <form className={styles.form} onSubmit={submit} noValidate>
        {!isOfField && <RefusalNote error={change.error} />}
        <TextInput
          label={t('panelApi.form.name')}
          description={t('panelApi.form.nameHelp')}
          data-autofocus
          value={name}
          error={isNameless ? t('panelApi.form.nameless') : problemOf('name')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Textarea
          label={t('panelApi.form.uris')}
          description={t('panelApi.form.urisHelp')}
          autosize
          minRows={2}
          maxRows={6}
          spellCheck={false}
          value={uris}
          error={problemOf('redirectUris')}
          onChange={(event) => setUris(event.currentTarget.value)}
        />
        {client === null && (
          <SwitchRow
            label={t('panelApi.form.public')}
            help={t('panelApi.form.publicHelp')}
            checked={isPublic}
            onChange={setPublic}
          />
        )}
        <TextInput
          label={t('panelApi.form.publisher')}
          value={publisher}
          error={problemOf('publisher')}
          onChange={(event) => setPublisher(event.currentTarget.value)}
        />
        <TextInput
          label={t('panelApi.form.website')}
          inputMode="url"
          value={website}
          error={problemOf('website')}
          onChange={(event) => setWebsite(event.currentTarget.value)}
        />
        <div className={styles.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('panelApi.form.cancel')}
          </Button>
          <ActionButton isBusy={change.isPending}>
            {client === null ? t('panelApi.form.add') : t('panelApi.form.save')}
          </ActionButton>
        </div>
      </form>
    </Dialog>
  );
}
