import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useKey } from '../../control/keys.ts';
import { t } from '../../messages/messages.ts';
import table from '../../parts/table.module.css';
import type { FieldSet, FileType } from './definitions.ts';
import { FieldForm } from './field-form.tsx';
import { FieldSetForm } from './field-set-form.tsx';
import { FieldSetSection, type OverSet } from './field-set-section.tsx';
import styles from './field-sets.module.css';
import { MetadataPage } from './metadata-page.tsx';
import { RemoveField, RemoveSet } from './remove.tsx';

type Over = { readonly kind: 'add' } | OverSet;

/** The field sets with their fields: the owner's own first, then embedded metadata. */
export function FieldSets() {
  const [over, setOver] = useState<Over | null>(null);
  const add = () => setOver({ kind: 'add' });
  useKey('n', add, { what: t('keys.actions.add') });
  return (
    <MetadataPage
      actions={
        <Button leftSection={<IconPlus size={18} stroke={1.75} />} onClick={add}>
          {t('metadata.sets.add')}
        </Button>
      }
    >
      {({ types, sets }) => (
        <>
          <div className={styles.sets}>
            <Own sets={sets.filter(({ system }) => !system)} types={types} onOpen={setOver} />
            <Embedded sets={sets.filter(({ system }) => system)} />
          </div>
          {over !== null && <FieldSetDialog over={over} types={types} onClose={() => setOver(null)} />}
        </>
      )}
    </MetadataPage>
  );
}

interface OwnProps {
  readonly sets: readonly FieldSet[];
  readonly types: readonly FileType[];
  readonly onOpen: (over: OverSet) => void;
}

function Own({ sets, types, onOpen }: OwnProps) {
  if (sets.length === 0) {
    return (
      <div>
        <strong>{t('metadata.sets.empty')}</strong>
        <p className={table.help}>{t('metadata.sets.emptyHelp')}</p>
      </div>
    );
  }
  return sets.map((set) => (
    <FieldSetSection
      key={set.id}
      set={set}
      on={types.filter(({ setIds }) => setIds.includes(set.id)).map(({ name }) => name)}
      onOpen={onOpen}
    />
  ));
}

function Embedded({ sets }: { readonly sets: readonly FieldSet[] }) {
  return (
    <section className={styles.embedded} aria-label={t('metadata.sets.embedded')}>
      <h2>{t('metadata.sets.embedded')}</h2>
      <p className={styles.help}>{t('metadata.sets.embeddedHelp')}</p>
      <dl>
        {sets.map(({ id, name, fields }) => (
          <div key={id}>
            <dt>{name}</dt>
            <dd>{fields.map((field) => field.name).join(', ')}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface FieldSetDialogProps {
  readonly over: Over;
  readonly types: readonly FileType[];
  readonly onClose: () => void;
}

function FieldSetDialog({ over, types, onClose }: FieldSetDialogProps) {
  switch (over.kind) {
    case 'add':
      return <FieldSetForm set={null} types={types} onClose={onClose} />;
    case 'rename':
      return <FieldSetForm set={over.set} types={types} onClose={onClose} />;
    case 'remove':
      return <RemoveSet set={over.set} onClose={onClose} />;
    case 'addField':
      return <FieldForm set={over.set} field={null} onClose={onClose} />;
    case 'editField':
      return <FieldForm set={over.set} field={over.field} onClose={onClose} />;
    case 'removeField':
      return <RemoveField field={over.field} onClose={onClose} />;
  }
}
