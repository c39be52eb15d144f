import { Button, MultiSelect, TagsInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useControlChange } from '../../control/control.tsx';
import { ActionButton } from '../../parts/buttons/action-button.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import styles from '../../parts/forms/form.module.css';
import { RefusalNote } from '../../parts/note.tsx';
import { metadataTexts } from '../../texts/metadata.ts';
import { type FieldSet, type FileType, problemAt, problemBeside, STALE } from './definitions.ts';

const words = metadataTexts.types;

interface FileTypeFormProps {
  /** Null for one that is to be made. */
  readonly type: FileType | null;
  readonly sets: readonly FieldSet[];
  readonly onClose: () => void;
}

/** A file type; of one that is there from the start, the field sets only. */
export function FileTypeForm({ type, sets, onClose }: FileTypeFormProps) {
  const own = sets.filter(({ system }) => !system);
  const fixed = sets.filter(({ id, system }) => system && type?.setIds.includes(id) === true).map(({ name }) => name);
  const isFixed = type?.system ?? false;
  const [name, setName] = useState(type?.name ?? '');
  const [extensions, setExtensions] = useState<string[]>(type?.extensions ?? []);
  const [picked, setPicked] = useState(own.filter(({ id }) => type?.setIds.includes(id)).map(({ id }) => String(id)));
  const [isChecked, setChecked] = useState(false);
  const add = useControlChange('metadata.types.add', STALE);
  const update = useControlChange('metadata.types.update', STALE);
  const { error, isPending } = type === null ? add : update;
  const isNameless = !isFixed && name.trim() === '';
  const isOfNothing = !isFixed && extensions.length === 0;
  const shown = isFixed ? ['setIds'] : ['name', 'extensions', 'setIds'];

  function submit(event: FormEvent): void {
    event.preventDefault();
    setChecked(true);
    if (isPending || isNameless || isOfNothing) return;
    const setIds = picked.map(Number);
    const then = { onSuccess: onClose };
    if (type === null) add.mutate({ name, extensions, setIds }, then);
    else update.mutate({ id: type.id, setIds, ...(isFixed ? {} : { name, extensions }) }, then);
  }

  return (
    <Dialog
      title={type === null ? words.addTitle : isFixed ? words.setsTitle(type.name) : words.editTitle(type.name)}
      onClose={onClose}
      keepsOpen
    >
      <form className={styles.form} onSubmit={submit} noValidate>
        <RefusalNote error={problemBeside(error, shown)} />
        {!isFixed && (
          <>
            <TextInput
              label={metadataTexts.name}
              description={words.nameHelp}
              data-autofocus
              autoComplete="off"
              value={name}
              error={isChecked && isNameless ? metadataTexts.needed : problemAt(error, 'name')}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <TagsInput
              label={words.extensions}
              description={words.extensionsHelp}
              acceptValueOnBlur
              spellCheck={false}
              value={extensions}
              error={isChecked && isOfNothing ? words.extensionsNeeded : problemAt(error, 'extensions')}
              onChange={setExtensions}
            />
          </>
        )}
        <MultiSelect
          label={words.sets}
          description={
            own.length === 0 ? words.noSetsYet : fixed.length > 0 ? words.setsStay(fixed.join(', ')) : words.setsHelp
          }
          searchable
          disabled={own.length === 0}
          data={own.map(({ id, name: label }) => ({ value: String(id), label }))}
          value={picked}
          error={problemAt(error, 'setIds')}
          onChange={setPicked}
        />
        <div className={styles.buttons}>
          <Button variant="default" onClick={onClose}>
            {metadataTexts.cancel}
          </Button>
          <ActionButton isBusy={isPending}>{type === null ? words.add : metadataTexts.save}</ActionButton>
        </div>
      </form>
    </Dialog>
  );
}
