import { Button, Select, TagsInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useControlChange } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { ActionButton } from '../../parts/buttons/action-button.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import styles from '../../parts/forms/form.module.css';
import { RefusalNote } from '../../parts/note.tsx';
import {
  type Field,
  type FieldKind,
  type FieldSet,
  problemAt,
  problemBeside,
  STALE,
  takesOptions,
} from './definitions.ts';

const KINDS = [
  'text',
  'longtext',
  'number',
  'date',
  'choice',
  'choices',
  'stars',
] as const satisfies readonly FieldKind[];

interface FieldFormProps {
  readonly set: FieldSet;
  /** Null for a new one. */
  readonly field: Field | null;
  readonly onClose: () => void;
}

/** A field: its name, kind and options. */
export function FieldForm({ set, field, onClose }: FieldFormProps) {
  const [name, setName] = useState(field?.name ?? '');
  const [kind, setKind] = useState<FieldKind>(field?.kind ?? 'text');
  const [options, setOptions] = useState<string[]>(field?.options ?? []);
  const [isChecked, setChecked] = useState(false);
  const add = useControlChange('metadata.fields.add', STALE);
  const update = useControlChange('metadata.fields.update', STALE);
  const { error, isPending } = field === null ? add : update;
  const hasOptions = takesOptions(kind);
  const isNameless = name.trim() === '';
  const isEmpty = hasOptions && options.length === 0;

  function submit(event: FormEvent): void {
    event.preventDefault();
    setChecked(true);
    if (isPending || isNameless || isEmpty) return;
    // The options stay in the form, in case it becomes a choice again.
    const given = { name, kind, options: hasOptions ? options : [] };
    if (field === null) add.mutate({ setId: set.id, ...given }, { onSuccess: onClose });
    else update.mutate({ id: field.id, ...given }, { onSuccess: onClose });
  }

  return (
    <Dialog
      title={
        field === null
          ? t('metadata.fields.addTitle', { set: set.name })
          : t('metadata.fields.editTitle', { name: field.name })
      }
      onClose={onClose}
      keepsOpen
    >
      <form className={styles.form} onSubmit={submit} noValidate>
        <RefusalNote error={problemBeside(error, ['name', 'kind', ...(hasOptions ? ['options'] : [])])} />
        <TextInput
          label={t('metadata.name')}
          data-autofocus
          autoComplete="off"
          value={name}
          error={isChecked && isNameless ? t('metadata.needed') : problemAt(error, 'name')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Select
          label={t('metadata.fields.kind')}
          description={t('metadata.fields.kindHelp')}
          allowDeselect={false}
          data={KINDS.map((value) => ({ value, label: t(`metadata.fields.kinds.${value}`) }))}
          value={kind}
          error={problemAt(error, 'kind')}
          onChange={(value) => setKind(KINDS.find((one) => one === value) ?? kind)}
        />
        {hasOptions && (
          <TagsInput
            label={t('metadata.fields.options')}
            description={t('metadata.fields.optionsHelp')}
            acceptValueOnBlur
            value={options}
            error={isChecked && isEmpty ? t('metadata.fields.optionsNeeded') : problemAt(error, 'options')}
            onChange={setOptions}
          />
        )}
        <div className={styles.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('metadata.cancel')}
          </Button>
          <ActionButton isBusy={isPending}>
            {field === null ? t('metadata.fields.add') : t('metadata.save')}
          </ActionButton>
        </div>
      </form>
    </Dialog>
  );
}
