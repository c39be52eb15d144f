import { Button, MultiSelect, TagsInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useControlChange } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { ActionButton } from '../../parts/buttons/action-button.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import styles from '../../parts/forms/form.module.css';
import { RefusalNote } from '../../parts/note.tsx';
import { type FieldSet, type FileType, problemAt, problemBeside, STALE } from './definitions.ts';

interface FileTypeFormProps {
  /** Null for a new one. */
  readonly type: FileType | null;
  readonly sets: readonly FieldSet[];
  readonly onClose: () => void;
}

/** A file type; for a built-in one, only its field sets. */
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
      title={
        type === null
          ? t('metadata.types.addTitle')
          : isFixed
            ? t('metadata.types.setsTitle', { name: type.name })
            : t('metadata.types.editTitle', { name: type.name })
      }
      onClose={onClose}
      keepsOpen
    >
      <form className={styles.form} onSubmit={submit} noValidate>
        <RefusalNote error={problemBeside(error, shown)} />
        {!isFixed && (
          <>
            <TextInput
              label={t('metadata.name')}
              description={t('metadata.types.nameHelp')}
              data-autofocus
              autoComplete="off"
              value={name}
              error={isChecked && isNameless ? t('metadata.needed') : problemAt(error, 'name')}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <TagsInput
              label={t('metadata.types.extensions')}
              description={t('metadata.types.extensionsHelp')}
              acceptValueOnBlur
              spellCheck={false}
              value={extensions}
              error={isChecked && isOfNothing ? t('metadata.types.extensionsNeeded') : problemAt(error, 'extensions')}
              onChange={setExtensions}
            />
          </>
        )}
        <MultiSelect
          label={t('metadata.types.sets')}
          description={
            own.length === 0
              ? t('metadata.types.noSetsYet')
              : fixed.length > 0
                ? t('metadata.types.setsStay', { names: fixed.join(', ') })
                : t('metadata.types.setsHelp')
          }
          searchable
          // As the first field it has the focus from the start, and an open list would cover the buttons.
          openOnFocus={!isFixed}
          disabled={own.length === 0}
          data={own.map(({ id, name: label }) => ({ value: String(id), label }))}
          value={picked}
          error={problemAt(error, 'setIds')}
          onChange={setPicked}
        />
        <div className={styles.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('metadata.cancel')}
          </Button>
          <ActionButton isBusy={isPending}>{type === null ? t('metadata.types.add') : t('metadata.save')}</ActionButton>
        </div>
      </form>
    </Dialog>
  );
}
