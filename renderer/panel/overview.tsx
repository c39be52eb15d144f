import { Button } from '@mantine/core';
import { IconPlayerPause } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { warningMessages } from '../../server/messages/en/api/warnings.ts';
import { useConnection, useControl } from '../control/control.tsx';
import { useDesktop } from '../control/desktop.tsx';
import { addressOf } from '../control/routes.ts';
import { filesAddress } from '../first-run/for-others.ts';
import { t } from '../messages/messages.ts';
import { ActionButton } from '../parts/buttons/action-button.tsx';
import { CopyButton } from '../parts/buttons/copy-button.tsx';
import { Note, RefusalNote, reasonOf } from '../parts/note.tsx';
import { Skeletons } from '../parts/skeletons.tsx';
import { LatestActivity } from './activity/latest.tsx';
import { Apps } from './apps.tsx';
import { BackupFact } from './backup/backup-fact.tsx';
import { Catalogue } from './catalogue.tsx';
import { Facts } from './facts.tsx';
import styles from './overview.module.css';
import { PageHead } from './page-head.tsx';
import { Storage } from './storage.tsx';
import { Throughput } from './throughput.tsx';

/** The warning on every page is not repeated. */
const isShownHere = (text: string) => text !== warningMessages['api.warnings.http'];

/** What is known about the server by the connection to it. */
const HEADINGS = {
  open: { title: 'overview.heading', tone: 'good', isRunning: true },
  lost: { title: 'overview.headingLost', tone: 'danger', isRunning: false },
  locked: { title: 'overview.headingLocked', tone: 'care', isRunning: false },
} as const;

/** The uptime, and the number of devices; while the server does not answer, that the figures are old. */
function useSince(isRunning: boolean): string {
  const { data } = useControl('traffic.get', {});
  if (!isRunning) return t('overview.asBefore');
  if (data === undefined) return '';
  const minutes = Math.floor((Date.now() - Date.parse(data.since)) / 60_000);
  const span =
    minutes < 60
      ? t('overview.spans.minutes', { value: Math.max(1, minutes) })
      : minutes < 48 * 60
        ? t('overview.spans.hours', { value: Math.floor(minutes / 60) })
        : t('overview.spans.days', { value: Math.floor(minutes / (24 * 60)) });
  return t('overview.since', { span, devices: data.samples.at(-1)?.devices ?? 0 });
}

/** The overview: problems, addresses and latest activity. */
export function Overview() {
  const desktop = useDesktop();
  const heading = HEADINGS[useConnection().kind];
  const status = useControl('status', {}, { every: 15_000 });
  const since = useSince(heading.isRunning);
  const pause = useMutation({ mutationFn: async () => desktop?.invoke('desktop.pause', {}) });
  const [address] = status.data?.addresses ?? [];
  const files = filesAddress(status.data?.addresses ?? [], useDesktop() !== null);
  return (
    <>
      <PageHead
        title={t(heading.title)}
        lead={since}
        tone={heading.tone}
        actions={
          <>
            {desktop !== null && (
              <ActionButton
                variant="default"
                icon={IconPlayerPause}
                isBusy={pause.isPending}
                onClick={() => pause.mutate()}
              >
                {t('overview.pause')}
              </ActionButton>
            )}
            {address !== undefined && <CopyButton text={address} word={t('overview.copyAddress')} />}
            <Button component="a" variant="default" href={addressOf('household')}>
              {t('overview.addDevice')}
            </Button>
            {files !== null && (
              <Button component="a" href={files} target="_blank" rel="noopener">
                {t('overview.openFiles')}
              </Button>
            )}
          </>
        }
      />
      <div className={styles.parts}>
        <RefusalNote error={pause.error} />
        {status.data?.attention.filter(isShownHere).map((text) => (
          <Note tone="care" key={text}>
            {text}
          </Note>
        ))}
        {status.error !== null && status.data === undefined && (
          <Note tone="danger" action={{ word: t('common.tryAgain'), run: () => status.refetch() }}>
            {t('overview.failed')} {reasonOf(status.error)}
          </Note>
        )}
        {status.data === undefined ? (
          status.isPending && <Skeletons widths={[420, 360, 300]} />
        ) : (
          <>
            <Facts status={status.data} />
            <BackupFact />
            <div className={styles.pair}>
              <Storage disks={status.data.disks} />
              <Throughput />
            </div>
            <Apps />
            <Catalogue homes={status.data.catalogue} />
          </>
        )}
        <LatestActivity />
      </div>
    </>
  );
}
