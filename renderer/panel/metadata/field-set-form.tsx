import { Button, MultiSelect, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useControlChange } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { ActionButton } from '../../parts/buttons/action-button.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import styles from '../../parts/forms/form.module.css';
import { RefusalNote } from '../../parts/note.tsx';
import { type FieldSet, type FileType, problemAt, problemBeside, STALE } from './definitions.ts';

interface FieldSetFormProps {
  /** Null for a new one. */
  readonly set: FieldSet | null;
  readonly types: readonly FileType[];
  readonly onClose: () => void;
}

/** Adds a field set with its file types, or renames one. */
export function FieldSetForm({ set, types, onClose }: FieldSetFormProps) {
  const [name, setName] = useState(set?.name ?? '');
  const [picked, setPicked] = useState<string[]>([]);
  const [isChecked, setChecked] = useState(false);
  const add = useControlChange('metadata.sets.add', STALE);
  const update = useControlChange('metadata.sets.update', STALE);
  const { error, isPending } = set === null ? add : update;
  const isNameless = name.trim() === '';

  function submit(event: FormEvent): void {
    event.preventDefault();
    setChecked(true);
    if (isPending || isNameless) return;
    if (set === null) add.mutate({ name, typeIds: picked.map(Number) }, { onSuccess: onClose });
    else update.mutate({ id: set.id, name }, { onSuccess: onClose });
  }

  return (
    <Dialog
      title={set === null ? t('metadata.sets.addTitle') : t('metadata.sets.renameTitle', { name: set.name })}
      onClose={onClose}
      keepsOpen
    >
      <form className={styles.form} onSubmit={submit} noValidate>
        <RefusalNote error={problemBeside(error, set === null ? ['name', 'typeIds'] : ['name'])} />
        <TextInput
          label={t('metadata.name')}
          description={t('metadata.sets.nameHelp')}
          data-autofocus
          autoComplete="off"
          value={name}
          error={isChecked && isNameless ? t('metadata.needed') : problemAt(error, 'name')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {set === null && (
          <MultiSelect
            label={t('metadata.sets.types')}
            description={t('metadata.sets.typesHelp')}
            searchable
            data={types.map(({ id, name: label }) => ({ value: String(id), label }))}
            value={picked}
            error={problemAt(error, 'typeIds')}
            onChange={setPicked}
          />
        )}
        <div className={styles.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('metadata.cancel')}
          </Button>
          <ActionButton isBusy={isPending}>{set === null ? t('metadata.sets.add') : t('metadata.save')}</ActionButton>
        </div>
      </form>
    </Dialog>
  );
}
