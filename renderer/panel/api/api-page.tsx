import type { ReactNode } from 'react';
import { useControl } from '../../control/control.tsx';
import { apiTexts } from '../../texts/api.ts';
import { PageHead } from '../page-head.tsx';
import { Tabs } from '../tabs.tsx';

interface ApiPageProps {
  /** The one primary action, on the right. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** What the pages of the API have in common: title and tabs, with how much is behind each. */
export function ApiPage({ action, children }: ApiPageProps) {
  const clients = useControl('clients.list', {});
  const authorizations = useControl('authorizations.list', {});
  const { tabs } = apiTexts;
  return (
    <>
      <PageHead title={apiTexts.title} lead={apiTexts.lead} actions={action} isWide />
      <Tabs
        label={tabs.label}
        tabs={[
          { route: 'clients', name: tabs.clients, count: clients.data?.clients.length },
          { route: 'authorizations', name: tabs.authorizations, count: authorizations.data?.authorizations.length },
          { route: 'apiSettings', name: tabs.settings },
          { route: 'reference', name: tabs.reference },
        ]}
      />
      {children}
    </>
  );
}
