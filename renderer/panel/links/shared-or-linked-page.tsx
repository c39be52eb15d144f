import type { ReactNode } from 'react';
import { useControl } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { PageHead } from '../page-head.tsx';
import { Tabs } from '../tabs.tsx';

/** The frame of the pages of links and shares. */
export function SharedOrLinkedPage({ children }: { readonly children: ReactNode }) {
  const links = useControl('links.list', { limit: 1 });
  const shares = useControl('shares.list', { limit: 1 });
  const albums = useControl('albumShares.list', { limit: 1 });
  return (
    <>
      <PageHead title={t('linksAndShares.title')} lead={t('linksAndShares.lead')} isWide />
      <Tabs
        label={t('linksAndShares.tabs.label')}
        tabs={[
          { route: 'links', name: t('linksAndShares.tabs.links'), count: links.data?.total },
          { route: 'shares', name: t('linksAndShares.tabs.shares'), count: shares.data?.total },
          { route: 'albumShares', name: t('linksAndShares.tabs.albums'), count: albums.data?.total },
        ]}
      />
      {children}
    </>
  );
}
