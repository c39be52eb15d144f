import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { RowMenu } from '../../parts/buttons/row-menu.tsx';
import { Section } from '../../parts/section.tsx';
import table from '../../parts/table.module.css';
import { metadataTexts } from '../../texts/metadata.ts';
import cell from './cell.module.css';
import { type Field, type FieldSet, takesOptions } from './definitions.ts';
import styles from './field-sets.module.css';

const words = metadataTexts.fields;

/** What is asked about a set, or about a field of it. */
export type OverSet =
  | { readonly kind: 'rename' | 'remove' | 'addField'; readonly set: FieldSet }
  | { readonly kind: 'editField' | 'removeField'; readonly set: FieldSet; readonly field: Field };

interface FieldSetSectionProps {
  readonly set: FieldSet;
  /** The names of the file types that have it. */
  readonly on: readonly string[];
  readonly onOpen: (over: OverSet) => void;
}

/** A field set of the owner's, with its fields below. */
export function FieldSetSection({ set, on, onOpen }: FieldSetSectionProps) {
  const { of, ofNone } = metadataTexts.sets;
  return (
    <Section
      title={set.name}
      aside={
        <span className={styles.aside}>
          <span>{on.length === 0 ? ofNone : of(on.join(', '))}</span>
          <RowMenu
            label={metadataTexts.actionsOf(set.name)}
            items={[
              { word: words.add, run: () => onOpen({ kind: 'addField', set }) },
              { word: metadataTexts.rename, run: () => onOpen({ kind: 'rename', set }) },
              { word: metadataTexts.remove, isDanger: true, run: () => onOpen({ kind: 'remove', set }) },
            ]}
          />
        </span>
      }
    >
      {set.fields.length === 0 ? <p className={styles.help}>{words.none}</p> : <Fields set={set} onOpen={onOpen} />}
      <Button
        variant="default"
        className={styles.add ?? ''}
        leftSection={<IconPlus size={18} stroke={1.75} />}
        aria-label={`${words.add}: ${set.name}`}
        onClick={() => onOpen({ kind: 'addField', set })}
      >
        {words.add}
      </Button>
    </Section>
  );
}

function Fields({ set, onOpen }: Pick<FieldSetSectionProps, 'set' | 'onOpen'>) {
  const { columns } = words;
  return (
    <div className={table.scroll}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{columns.name}</th>
            <th scope="col">{columns.kind}</th>
            <th scope="col" className={table.wide}>
              {columns.options}
            </th>
            <th scope="col">
              <span className={table.unseen}>{metadataTexts.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {set.fields.map((field) => (
            <tr key={field.id}>
              <th scope="row">
                <strong className={cell.cell}>{field.name}</strong>
              </th>
              <td>{words.kinds[field.kind]}</td>
              <td className={table.wide}>
                <div className={cell.cell}>
                  {takesOptions(field.kind) ? (
                    field.options.join(', ')
                  ) : (
                    <span className={table.quiet}>{words.noOptions}</span>
                  )}
                </div>
              </td>
              <td className={table.end}>
                <RowMenu
                  label={metadataTexts.actionsOf(words.of(field.name, set.name))}
                  items={[
                    { word: metadataTexts.edit, run: () => onOpen({ kind: 'editField', set, field }) },
                    {
                      word: metadataTexts.remove,
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
