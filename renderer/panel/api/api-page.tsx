import type { ReactNode } from 'react';
import { useControl } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { PageHead } from '../page-head.tsx';
import { Tabs } from '../tabs.tsx';

interface ApiPageProps {
  /** The primary action, on the right. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of the API pages: title and tabs, with counts. */
export function ApiPage({ action, children }: ApiPageProps) {
  const clients = useControl('clients.list', {});
  const authorizations = useControl('authorizations.list', {});
  return (
    <>
      <PageHead title={t('panelApi.title')} lead={t('panelApi.lead')} actions={action} isWide />
      <Tabs
        label={t('panelApi.tabs.label')}
        tabs={[
          { route: 'clients', name: t('panelApi.tabs.clients'), count: clients.data?.clients.length },
          {
            route: 'authorizations',
            name: t('panelApi.tabs.authorizations'),
            count: authorizations.data?.authorizations.length,
          },
          { route: 'apiSettings', name: t('panelApi.tabs.settings') },
          { route: 'reference', name: t('panelApi.tabs.reference') },
        ]}
      />
      {children}
    </>
  );
}
