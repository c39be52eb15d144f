import { ActionIcon, CloseButton, Drawer, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconActivity,
  IconBuildingCottage,
  IconDeviceDesktop,
  IconFolder,
  IconHistory,
  IconHome,
  IconInfoCircle,
  IconLink,
  IconLogout,
  IconMail,
  IconMenu2,
  IconPlug,
  IconShieldLock,
  IconTags,
  IconUsers,
} from '@tabler/icons-react';
import { useConnection, useControl, useTransport } from '../control/control.tsx';
import { useDesktopState } from '../control/desktop.tsx';
import { addressOf, type Route, useRoute } from '../control/routes.ts';
import { t } from '../messages/messages.ts';
import { CopyIcon } from '../parts/buttons/copy-button.tsx';
import { Mark } from '../parts/mark.tsx';
import { StatusDot } from '../parts/status-dot.tsx';
import { GoToField, GoToIcon } from './go-to/go-to-button.tsx';
import styles from './panel.module.css';

/** The owner's account, which always has this id. */
const OWNER_ID = 1;

interface GoesTo {
  readonly onGoTo: () => void;
}

export function Sidebar({ onGoTo }: GoesTo) {
  return (
    <header className={styles.side}>
      <Household />
      <GoToField onClick={onGoTo} />
      <Pages />
      <Foot />
    </header>
  );
}

/** Replaces the sidebar on small screens. */
export function TopBar({ onGoTo }: GoesTo) {
  const [isOpen, menu] = useDisclosure(false);
  const name = useHouseholdName();
  return (
    <header className={styles.bar}>
      <Mark size={28} />
      <strong>{name}</strong>
      <span className={styles.state}>
        <State />
      </span>
      <GoToIcon onClick={onGoTo} />
      <ActionIcon variant="subtle" color="gray" size={44} aria-label={t('nav.menu')} onClick={menu.open}>
        <IconMenu2 size={20} stroke={1.75} />
      </ActionIcon>
      <Drawer.Root opened={isOpen} onClose={menu.close} position="right" size={280}>
        <Drawer.Overlay />
        <Drawer.Content aria-label={t('nav.menu')}>
          <Drawer.Body className={`${styles.drawer} ${styles.narrow}`}>
            <CloseButton
              size={44}
              iconSize={20}
              className={styles.close ?? ''}
              aria-label={t('nav.closeMenu')}
              onClick={menu.close}
            />
            <Pages onPick={menu.close} />
            <Foot />
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
    </header>
  );
}

function useHouseholdName(): string {
  return useControl('settings.get', {}).data?.householdName ?? '';
}

function Household() {
  const name = useHouseholdName();
  const owner = useControl('accounts.get', { id: OWNER_ID });
  return (
    <div className={styles.household}>
      <Mark size={32} />
      <div>
        <strong>{name}</strong>
        <span className={styles.owner}>
          {owner.data === undefined ? null : t('nav.owner', { name: owner.data.name })}
        </span>
      </div>
    </div>
  );
}

export const PAGES = [
  { route: 'overview', icon: IconHome, name: t('nav.overview'), inWindow: false, tabs: ['overview'], group: 0 },
  {
    route: 'users',
    icon: IconUsers,
    name: t('nav.people'),
    inWindow: false,
    tabs: ['users', 'user', 'groups', 'roles', 'role', 'guests', 'administrators'],
    group: 0,
  },
  { route: 'files', icon: IconFolder, name: t('nav.files'), inWindow: false, tabs: ['files'], group: 0 },
  {
    route: 'links',
    icon: IconLink,
    name: t('nav.links'),
    inWindow: false,
    tabs: ['links', 'shares', 'albumShares'],
    group: 0,
  },
  { route: 'activity', icon: IconActivity, name: t('nav.activity'), inWindow: false, tabs: ['activity'], group: 0 },
  {
    route: 'clients',
    icon: IconPlug,
    name: t('nav.api'),
    inWindow: false,
    tabs: ['clients', 'authorizations', 'apiSettings', 'reference'],
    group: 1,
  },
  {
    route: 'fileTypes',
    icon: IconTags,
    name: t('nav.metadata'),
    inWindow: false,
    tabs: ['fileTypes', 'fieldSets'],
    group: 1,
  },
  { route: 'mail', icon: IconMail, name: t('nav.mail'), inWindow: false, tabs: ['mail'], group: 1 },
  { route: 'security', icon: IconShieldLock, name: t('nav.security'), inWindow: false, tabs: ['security'], group: 1 },
  {
    route: 'backups',
    icon: IconHistory,
    name: t('nav.backup'),
    inWindow: false,
    tabs: ['backups', 'backupSettings'],
    group: 1,
  },
  {
    route: 'household',
    icon: IconBuildingCottage,
    name: t('nav.household'),
    inWindow: false,
    tabs: ['household'],
    group: 2,
  },
  { route: 'computer', icon: IconDeviceDesktop, name: t('nav.computer'), inWindow: true, tabs: ['computer'], group: 2 },
  { route: 'about', icon: IconInfoCircle, name: t('nav.about'), inWindow: false, tabs: ['about'], group: 2 },
] as const satisfies readonly { route: Route; tabs: readonly Route[]; [more: string]: unknown }[];

function Pages({ onPick }: { readonly onPick?: () => void }) {
  const now: Route = useRoute();
  const isInWindow = useDesktopState() !== null;
  const status = useControl('status', {});
  const needsAttention = (status.data?.attention.length ?? 0) > 0;
  const shown = PAGES.filter(({ inWindow }) => isInWindow || !inWindow);
  return (
    <nav aria-label={t('nav.pages')} className={styles.nav}>
      {[0, 1, 2].map((number) => {
        const pages = shown.filter(({ group }) => group === number);
        if (pages.length === 0) return null;
        return (
          <ul className={styles.pages} key={number}>
            {pages.map(({ route, icon: Picture, name, tabs }) => (
              <li key={route}>
                <a
                  href={addressOf(route)}
                  {...(tabs.some((tab) => tab === now) ? { 'aria-current': 'page' as const } : {})}
                  {...(onPick === undefined ? {} : { onClick: onPick })}
                >
                  <Picture size={18} stroke={1.75} aria-hidden />
                  {name}
                  {route === 'overview' && needsAttention && (
                    <span className={styles.attention}>
                      <StatusDot tone="care" />
                    </span>
                  )}
                </a>
              </li>
            ))}
          </ul>
        );
      })}
    </nav>
  );
}

function State() {
  const isOpen = useConnection().kind === 'open';
  return (
    <>
      <StatusDot tone={isOpen ? 'good' : 'care'} />
      <span data-usual={isOpen || undefined}>{isOpen ? t('nav.running') : t('nav.away')}</span>
    </>
  );
}

function Foot() {
  const status = useControl('status', {});
  const [address] = status.data?.addresses ?? [];
  return (
    <div className={styles.foot}>
      <div>
        <span className={styles.state}>
          <State />
        </span>
        <span className={styles.address}>{address?.replace('https://', '')}</span>
      </div>
      {address !== undefined && <CopyIcon text={address} name={t('common.copyOf', { what: address })} />}
      <SignOut />
    </div>
  );
}

/** For panels opened by signing in from another device. */
function SignOut() {
  const { access } = useTransport();
  if (access === null) return null;
  return (
    <Tooltip label={t('panelSignIn.out')}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        aria-label={t('panelSignIn.out')}
        onClick={() => void access.signOut()}
      >
        <IconLogout size={18} stroke={1.75} />
      </ActionIcon>
    </Tooltip>
  );
}
