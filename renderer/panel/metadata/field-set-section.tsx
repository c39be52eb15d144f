import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { t } from '../../messages/messages.ts';
import { RowMenu } from '../../parts/buttons/row-menu.tsx';
import { Section } from '../../parts/section.tsx';
import table from '../../parts/table.module.css';
import cell from './cell.module.css';
import { type Field, type FieldSet, takesOptions } from './definitions.ts';
import styles from './field-sets.module.css';

/** The dialog for a set, or for a field of it. */
export type OverSet =
  | { readonly kind: 'rename' | 'remove' | 'addField'; readonly set: FieldSet }
  | { readonly kind: 'editField' | 'removeField'; readonly set: FieldSet; readonly field: Field };

interface FieldSetSectionProps {
  readonly set: FieldSet;
  /** The names of its file types. */
  readonly on: readonly string[];
  readonly onOpen: (over: OverSet) => void;
}

/** One of the owner's field sets, with its fields. */
export function FieldSetSection({ set, on, onOpen }: FieldSetSectionProps) {
  return (
    <Section
      title={set.name}
      aside={
        <span className={styles.aside}>
          <span>{on.length === 0 ? t('metadata.sets.ofNone') : t('metadata.sets.of', { types: on.join(', ') })}</span>
          <RowMenu
            label={t('metadata.actionsOf', { name: set.name })}
            items={[
              { word: t('metadata.fields.add'), run: () => onOpen({ kind: 'addField', set }) },
              { word: t('metadata.rename'), run: () => onOpen({ kind: 'rename', set }) },
              { word: t('metadata.remove'), isDanger: true, run: () => onOpen({ kind: 'remove', set }) },
            ]}
          />
        </span>
      }
    >
      {set.fields.length === 0 ? (
        <p className={styles.help}>{t('metadata.fields.none')}</p>
      ) : (
        <Fields set={set} onOpen={onOpen} />
      )}
      <Button
        variant="default"
        className={styles.add ?? ''}
        leftSection={<IconPlus size={18} stroke={1.75} />}
        aria-label={t('metadata.fields.addTo', { set: set.name })}
        onClick={() => onOpen({ kind: 'addField', set })}
      >
        {t('metadata.fields.add')}
      </Button>
    </Section>
  );
}

function Fields({ set, onOpen }: Pick<FieldSetSectionProps, 'set' | 'onOpen'>) {
  return (
    <div className={table.scroll}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{t('metadata.fields.columns.name')}</th>
            <th scope="col">{t('metadata.fields.columns.kind')}</th>
            <th scope="col" className={table.wide}>
              {t('metadata.fields.columns.options')}
            </th>
            <th scope="col">
              <span className={table.unseen}>{t('metadata.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {set.fields.map((field) => (
            <tr key={field.id}>
              <th scope="row">
                <strong className={cell.cell}>{field.name}</strong>
              </th>
              <td>{t(`metadata.fields.kinds.${field.kind}`)}</td>
              <td className={table.wide}>
                <div className={cell.cell}>
                  {takesOptions(field.kind) ? (
                    field.options.join(', ')
                  ) : (
                    <span className={table.quiet}>{t('metadata.fields.noOptions')}</span>
                  )}
                </div>
              </td>
              <td className={table.end}>
                <RowMenu
                  label={t('metadata.actionsOf', {
                    name: t('metadata.fields.of', { name: field.name, set: set.name }),
                  })}
                  items={[
                    { word: t('metadata.edit'), run: () => onOpen({ kind: 'editField', set, field }) },
                    {
                      word: t('metadata.remove'),
                      isDanger: true,
                      run: () => onOpen({ kind: 'removeField', set, field }),
                    },
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
