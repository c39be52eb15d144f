import type { ReactNode } from 'react';
import { t } from '../../messages/messages.ts';
import { PageHead } from '../page-head.tsx';
import { Tabs } from '../tabs.tsx';

/** The title and tabs of the pages about files. */
export function FilesHead({ actions }: { readonly actions?: ReactNode }) {
  return (
    <>
      <PageHead title={t('files.title')} lead={t('files.lead')} actions={actions} isWide />
      <Tabs
        label={t('files.title')}
        tabs={[
          { route: 'files', name: t('files.tabs.homes') },
          { route: 'photoImports', name: t('files.tabs.imports') },
        ]}
      />
    </>
  );
}
