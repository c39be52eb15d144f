import { useElementSize } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { useConnection, useControlEvents } from '../control/control.tsx';
import { useDesktopState } from '../control/desktop.tsx';
import { useKey } from '../control/keys.ts';
import { type Route, useRoute } from '../control/routes.ts';
import { t } from '../messages/messages.ts';
import { About } from './about/about.tsx';
import { Activity } from './activity/activity.tsx';
import { ApiSettings } from './api/api-settings.tsx';
import { Authorizations } from './api/authorizations.tsx';
import { Clients } from './api/clients.tsx';
import { BackupSettings } from './backup/backup-settings.tsx';
import { Backups } from './backup/backups.tsx';
import { Computer } from './computer.tsx';
import { DisconnectedBanner } from './disconnected-banner.tsx';
import { Files } from './files/files.tsx';
import { PhotoImports } from './files/imports/photo-imports.tsx';
import { GoTo } from './go-to/go-to.tsx';
import { useArrival } from './go-to/use-highlight.ts';
import { Household } from './household/household.tsx';
import { HttpWarning } from './http-warning.tsx';
import { KeyList } from './key-list.tsx';
import { AlbumShares } from './links/album-shares.tsx';
import { Links } from './links/links.tsx';
import { Shares } from './links/shares.tsx';
import { Mail } from './mail/mail.tsx';
import { FieldSets } from './metadata/field-sets.tsx';
import { FileTypes } from './metadata/file-types.tsx';
import { Overview } from './overview.tsx';
import styles from './panel.module.css';
import { Groups } from './people/groups/groups.tsx';
import { People } from './people/people.tsx';
import { Role } from './people/roles/role.tsx';
import { Roles } from './people/roles/roles.tsx';
import { User } from './people/user/user.tsx';
import { Reference } from './reference/reference.tsx';
import { Security } from './security/security.tsx';
import { PAGES, Sidebar, TopBar } from './sidebar.tsx';

/** The panel of a running Larder with an owner: navigation and page. */
export function Panel() {
  useControlEvents();
  useFreshAddresses();
  useFreshAfterLoss();
  const route = useRoute();
  const away = useElementSize<HTMLDivElement>();
  const main = useRef<HTMLElement>(null);
  const isInWindow = useDesktopState() !== null;
  const [over, setOver] = useState<'goTo' | 'keys' | null>(null);
  const arriveAt = useArrival(over === null);
  useKey('mod+k', () => setOver('goTo'), { what: t('keys.actions.goTo') });
  useKey('?', () => setOver('keys'), { what: t('keys.actions.list') });
  return (
    <>
      <button type="button" className={styles.skip} onClick={() => main.current?.focus()}>
        {t('common.skip')}
      </button>
      <div className={styles.panel} style={{ '--lost': `${away.height}px` } as CSSProperties}>
        <DisconnectedBanner height={away.ref} />
        <TopBar onGoTo={() => setOver('goTo')} />
        <Sidebar onGoTo={() => setOver('goTo')} />
        <main className={styles.main} ref={main} tabIndex={-1}>
          <HttpWarning />
          <Page route={route} isInWindow={isInWindow} />
        </main>
      </div>
      {over === 'goTo' && (
        <GoTo
          pages={PAGES.filter(({ inWindow }) => isInWindow || !inWindow)}
          onClose={() => setOver(null)}
          onKeys={() => setOver('keys')}
          onGoal={arriveAt}
        />
      )}
      {over === 'keys' && <KeyList onClose={() => setOver(null)} />}
    </>
  );
}

function Page({ route, isInWindow }: { readonly route: Route; readonly isInWindow: boolean }) {
  switch (route) {
    case 'users':
    case 'guests':
    case 'administrators':
      return <People kind={route} key={route} />;
    case 'user':
      return <User />;
    case 'groups':
      return <Groups />;
    case 'roles':
      return <Roles />;
    case 'role':
      return <Role />;
    case 'files':
      return <Files />;
    case 'photoImports':
      return <PhotoImports />;
    case 'links':
      return <Links />;
    case 'shares':
      return <Shares />;
    case 'albumShares':
      return <AlbumShares />;
    case 'activity':
      return <Activity />;
    case 'clients':
      return <Clients />;
    case 'authorizations':
      return <Authorizations />;
    case 'apiSettings':
      return <ApiSettings />;
    case 'reference':
      return <Reference />;
    case 'fileTypes':
      return <FileTypes />;
    case 'fieldSets':
      return <FieldSets />;
    case 'mail':
      return <Mail />;
    case 'security':
      return <Security />;
    case 'backups':
      return <Backups />;
    case 'backupSettings':
      return <BackupSettings />;
    case 'household':
      return <Household />;
    case 'computer':
      return isInWindow ? <Computer /> : <Overview />;
    case 'about':
      return <About />;
    case 'overview':
      return <Overview />;
  }
}

/** The application notices first that the networks have changed. */
function useFreshAddresses(): void {
  const queries = useQueryClient();
  const server = useDesktopState()?.server;
  const addresses = server?.kind === 'running' ? server.addresses.join(' ') : '';
  const before = useRef(addresses);
  useEffect(() => {
    if (before.current === addresses) return;
    before.current = addresses;
    void queries.invalidateQueries({ queryKey: ['status'] });
  }, [queries, addresses]);
}

/** Events during a lost connection were missed. */
function useFreshAfterLoss(): void {
  const queries = useQueryClient();
  const isAway = useConnection().kind !== 'open';
  const wasAway = useRef(false);
  useEffect(() => {
    if (wasAway.current && !isAway) void queries.invalidateQueries();
    wasAway.current = isAway;
  }, [queries, isAway]);
}
