import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { arePhotos, type EntryGroup } from '../../../server/lib/activity-groups.ts';
import { bidiIsolate } from '../../../server/lib/text/bidi-isolate.ts';
import { rich, t } from '../../messages/messages.ts';
import { Avatar } from '../../parts/avatar.tsx';
import type { Entry } from './entry.tsx';
import styles from './group-line.module.css';
import { usePerson } from './use-person.ts';

interface GroupLineProps {
  readonly group: EntryGroup<Entry>;
  readonly children: (entry: Entry) => ReactNode;
}

/** Several entries as one sentence that opens into all of them. */
export function GroupLine({ group, children }: GroupLineProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { name, face } = usePerson(group.entries[0]);
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <>
      <button
        type="button"
        className={styles.summary}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Avatar name={name} tint={face?.tint ?? 'slate'} picture={face?.picture ?? null} small />
        <span className={styles.words}>
          <GroupSentence group={group} who={name} />
        </span>
        <Chevron size={16} stroke={1.75} aria-hidden />
      </button>
      <ul id={id} className={styles.entries} hidden={!isOpen}>
        {isOpen && group.entries.map((entry) => <li key={entry.id}>{children(entry)}</li>)}
      </ul>
    </>
  );
}

function GroupSentence({ group, who }: { readonly group: EntryGroup<Entry>; readonly who: string }) {
  const { kind, entries, folder } = group;
  const name = folder.slice(folder.lastIndexOf('/') + 1);
  return rich(`activity.group.${kind}`, {
    who: <strong title={entries[0].username ?? ''}>{bidiIsolate(who)}</strong>,
    what: (
      <strong>
        {t('activity.group.what', { count: entries.length, kind: arePhotos(group) ? 'photos' : 'items' })}
      </strong>
    ),
    folder: (
      <strong title={bidiIsolate(folder)}>
        {folder === HOME || name === '' ? t('activity.group.home') : bidiIsolate(name)}
      </strong>
    ),
  });
}

const HOME = '/ROOT/HOME';
