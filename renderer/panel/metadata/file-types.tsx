import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useControlChange } from '../../control/control.tsx';
import { useKey } from '../../control/keys.ts';
import { t } from '../../messages/messages.ts';
import { RowMenu } from '../../parts/buttons/row-menu.tsx';
import { Confirm } from '../../parts/dialogs/confirm.tsx';
import styles from '../../parts/table.module.css';
import cell from './cell.module.css';
import { type FieldSet, type FileType, STALE } from './definitions.ts';
import { FileTypeForm } from './file-type-form.tsx';
import { MetadataPage } from './metadata-page.tsx';

type Over = { readonly kind: 'add' } | { readonly kind: 'edit' | 'remove'; readonly type: FileType };

/** The file types, and their field sets. */
export function FileTypes() {
  const [over, setOver] = useState<Over | null>(null);
  const close = () => setOver(null);
  const add = () => setOver({ kind: 'add' });
  useKey('n', add, { what: t('keys.actions.add') });
  return (
    <MetadataPage
      actions={
        <Button leftSection={<IconPlus size={18} stroke={1.75} />} onClick={add}>
          {t('metadata.types.add')}
        </Button>
      }
    >
      {({ types, sets }) => (
        <>
          <Table types={types} sets={sets} onOpen={setOver} />
          {over?.kind === 'add' && <FileTypeForm type={null} sets={sets} onClose={close} />}
          {over?.kind === 'edit' && <FileTypeForm type={over.type} sets={sets} onClose={close} />}
          {over?.kind === 'remove' && <RemoveType type={over.type} onClose={close} />}
        </>
      )}
    </MetadataPage>
  );
}

interface TableProps {
  readonly types: readonly FileType[];
  readonly sets: readonly FieldSet[];
  readonly onOpen: (over: Over) => void;
}

function Table({ types, sets, onOpen }: TableProps) {
  const setsOf = ({ setIds }: FileType) => sets.filter(({ id }) => setIds.includes(id)).map(({ name }) => name);
  // Each built-in type has a set for its embedded metadata, except for the type of all files.
  const filesOf = ({ setIds }: FileType) =>
    sets.some(({ id, system }) => system && setIds.includes(id)) ? t('metadata.types.byKind') : t('metadata.types.all');
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('metadata.types.columns.name')}</th>
            <th scope="col" className={styles.wide}>
              {t('metadata.types.columns.files')}
            </th>
            <th scope="col">{t('metadata.types.columns.sets')}</th>
            <th scope="col">
              <span className={styles.unseen}>{t('metadata.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {types.map((type) => (
            <tr key={type.id}>
              <th scope="row">
                <strong className={cell.cell}>{type.name}</strong>
                {type.system && <span className={styles.below}>{t('metadata.fromStart')}</span>}
              </th>
              <td className={styles.wide}>
                <div className={`${cell.cell} ${type.system ? styles.quiet : ''}`}>
                  {type.system ? filesOf(type) : type.extensions.join(', ')}
                </div>
              </td>
              <td>
                <div className={cell.cell}>
                  {setsOf(type).join(', ') || <span className={styles.quiet}>{t('metadata.types.noSets')}</span>}
                </div>
              </td>
              <td className={styles.end}>
                <RowMenu
                  label={t('metadata.actionsOf', { name: type.name })}
                  items={[
                    {
                      word: type.system ? t('metadata.types.sets') : t('metadata.edit'),
                      run: () => onOpen({ kind: 'edit', type }),
                    },
                    ...(type.system
                      ? []
                      : [
                          {
                            word: t('metadata.remove'),
                            isDanger: true,
                            run: () => onOpen({ kind: 'remove', type }),
                          },
                        ]),
                  ]}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RemoveType({ type, onClose }: { readonly type: FileType; readonly onClose: () => void }) {
  const remove = useControlChange('metadata.types.remove', STALE);
  return (
    <Confirm
      title={t('metadata.removeTitle', { name: type.name })}
      loss={t('metadata.types.loss', { sets: type.setIds.length })}
      label={t('metadata.remove')}
      keep={t('metadata.keep', { name: type.name })}
      change={remove}
      onDo={() => remove.mutate({ id: type.id }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
