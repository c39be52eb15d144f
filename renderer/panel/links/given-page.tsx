import type { ReactNode } from 'react';
import { useControl } from '../../control/control.tsx';
import { givenTexts } from '../../texts/given.ts';
import { PageHead } from '../page-head.tsx';
import { Tabs } from '../tabs.tsx';

/** What the pages of links and shares have in common. */
export function GivenPage({ children }: { readonly children: ReactNode }) {
  const { tabs } = givenTexts;
  const links = useControl('links.list', { limit: 1 });
  const shares = useControl('shares.list', { limit: 1 });
  return (
    <>
      <PageHead title={givenTexts.title} lead={givenTexts.lead} isWide />
      <Tabs
        label={tabs.label}
        tabs={[
          { route: 'links', name: tabs.links, count: links.data?.total },
          { route: 'shares', name: tabs.shares, count: shares.data?.total },
        ]}
      />
      {children}
    </>
  );
}
