import { Button, Select, TagsInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useControlChange } from '../../control/control.tsx';
import { ActionButton } from '../../parts/buttons/action-button.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import styles from '../../parts/forms/form.module.css';
import { RefusalNote } from '../../parts/note.tsx';
import { metadataTexts } from '../../texts/metadata.ts';
import {
  type Field,
  type FieldKind,
  type FieldSet,
  problemAt,
  problemBeside,
  STALE,
  takesOptions,
} from './definitions.ts';

const words = metadataTexts.fields;
const KINDS = Object.keys(words.kinds) as FieldKind[];

interface FieldFormProps {
  readonly set: FieldSet;
  /** Null for one that is to be made. */
  readonly field: Field | null;
  readonly onClose: () => void;
}

/** A field: its name, its kind, and what there is to choose from. */
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
    // What was typed for a choice stays in the form, in case it becomes one again.
    const given = { name, kind, options: hasOptions ? options : [] };
    if (field === null) add.mutate({ setId: set.id, ...given }, { onSuccess: onClose });
    else update.mutate({ id: field.id, ...given }, { onSuccess: onClose });
  }

  return (
    <Dialog title={field === null ? words.addTitle(set.name) : words.editTitle(field.name)} onClose={onClose} keepsOpen>
      <form className={styles.form} onSubmit={submit} noValidate>
        <RefusalNote error={problemBeside(error, ['name', 'kind', ...(hasOptions ? ['options'] : [])])} />
        <TextInput
          label={metadataTexts.name}
          data-autofocus
          autoComplete="off"
          value={name}
          error={isChecked && isNameless ? metadataTexts.needed : problemAt(error, 'name')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Select
          label={words.kind}
          description={words.kindHelp}
          allowDeselect={false}
          data={KINDS.map((value) => ({ value, label: words.kinds[value] }))}
          value={kind}
          error={problemAt(error, 'kind')}
          onChange={(value) => setKind(KINDS.find((one) => one === value) ?? kind)}
        />
        {hasOptions && (
          <TagsInput
            label={words.options}
            description={words.optionsHelp}
            acceptValueOnBlur
            value={options}
            error={isChecked && isEmpty ? words.optionsNeeded : problemAt(error, 'options')}
            onChange={setOptions}
          />
        )}
        <div className={styles.buttons}>
          <Button variant="default" onClick={onClose}>
            {metadataTexts.cancel}
          </Button>
          <ActionButton isBusy={isPending}>{field === null ? words.add : metadataTexts.save}</ActionButton>
        </div>
      </form>
    </Dialog>
  );
}
