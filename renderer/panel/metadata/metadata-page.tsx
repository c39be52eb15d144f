import type { ReactNode } from 'react';
import type { Output } from '../../../server/control/contract/contract.ts';
import { useControl } from '../../control/control.tsx';
import { Note, reasonOf } from '../../parts/note.tsx';
import { Skeletons } from '../../parts/skeletons.tsx';
import { metadataTexts } from '../../texts/metadata.ts';
import { texts } from '../../texts/texts.ts';
import { PageHead } from '../page-head.tsx';
import { Tabs } from '../tabs.tsx';

interface MetadataPageProps {
  readonly actions: ReactNode;
  /** Of everything that is defined, once it is there. */
  readonly children: (known: Output<'metadata.list'>) => ReactNode;
}

/** What the pages about metadata have in common: title and tabs, with how many are behind each. */
export function MetadataPage({ actions, children }: MetadataPageProps) {
  const { tabs } = metadataTexts;
  const list = useControl('metadata.list', {});
  return (
    <>
      <PageHead title={metadataTexts.title} lead={metadataTexts.lead} actions={actions} isWide />
      <Tabs
        label={tabs.label}
        tabs={[
          { route: 'fileTypes', name: tabs.types, count: list.data?.types.length },
          { route: 'fieldSets', name: tabs.sets, count: list.data?.sets.length },
        ]}
      />
      {list.error !== null && (
        <Note tone="danger" action={{ word: texts.tryAgain, run: () => list.refetch() }}>
          {metadataTexts.failed} {reasonOf(list.error)}
        </Note>
      )}
      {list.data === undefined ? list.error === null && <Skeletons widths={[500, 440, 460]} /> : children(list.data)}
    </>
  );
}
