import type { ReactNode } from 'react';
import type { Output } from '../../../server/control/contract/contract.ts';
import { useControl } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHead } from '../page-head.tsx';
import { Tabs } from '../tabs.tsx';

interface MetadataPageProps {
  readonly actions: ReactNode;
  /** Rendered once the definitions are loaded. */
  readonly children: (known: Output<'metadata.list'>) => ReactNode;
}

/** The frame of the metadata pages: title and tabs, with counts. */
export function MetadataPage({ actions, children }: MetadataPageProps) {
  const list = useControl('metadata.list', {});
  return (
    <>
      <PageHead title={t('metadata.title')} lead={t('metadata.lead')} actions={actions} isWide />
      <Tabs
        label={t('metadata.tabs.label')}
        tabs={[
          { route: 'fileTypes', name: t('metadata.tabs.types'), count: list.data?.types.length },
          { route: 'fieldSets', name: t('metadata.tabs.sets'), count: list.data?.sets.length },
        ]}
      />
      <Loaded query={list} widths={[500, 440, 460]}>
        {children}
      </Loaded>
    </>
  );
}
