import { Button } from '@mantine/core';
import { IconFolder, IconPower } from '@tabler/icons-react';
import { useDesktopChange, useInWindow } from '../control/desktop.tsx';
import { t } from '../messages/messages.ts';
import { CopyIcon } from '../parts/buttons/copy-button.tsx';
import { PortForm } from '../parts/forms/port-form.tsx';
import { SwitchRow } from '../parts/forms/switch-row.tsx';
import { RefusalNote } from '../parts/note.tsx';
import { Section } from '../parts/section.tsx';
import styles from './computer.module.css';
import { PageHead } from './page-head.tsx';

/** Settings of the application on this computer. */
export function Computer() {
  const { state } = useInWindow();
  const set = useDesktopChange('desktop.set');
  const openFolder = useDesktopChange('desktop.openFolder');
  const openLogs = useDesktopChange('desktop.openLogs');
  const quit = useDesktopChange('desktop.quit');
  const { platform } = state;
  return (
    <>
      <PageHead title={t('computer.heading')} lead={t('computer.lead')} />
      <div className={styles.sections}>
        <RefusalNote error={set.error ?? openFolder.error ?? openLogs.error ?? quit.error} />
        <Section title={t('computer.behaviour')}>
          <div className={styles.rows}>
            <SwitchRow
              label={t('computer.startsAtLogin')}
              help={state.startsAtLogin === null ? t('computer.startsAtLoginNever') : t('computer.startsAtLoginHelp')}
              checked={state.startsAtLogin ?? false}
              disabled={state.startsAtLogin === null}
              onChange={(startsAtLogin) => set.mutate({ startsAtLogin })}
            />
            <SwitchRow
              label={t('computer.keepsAwake')}
              help={t('computer.keepsAwakeHelp')}
              checked={state.keepsAwake}
              onChange={(keepsAwake) => set.mutate({ keepsAwake })}
            />
          </div>
        </Section>
        <Section title={t('computer.address')}>
          <PortForm />
        </Section>
        <Section title={t('computer.places')}>
          <div className={styles.rows}>
            <Row title={t('computer.folder')} path={state.folder}>
              <Button
                variant="default"
                leftSection={<IconFolder stroke={1.75} />}
                onClick={() => openFolder.mutate({})}
              >
                {t('computer.openFolder')}
              </Button>
            </Row>
            <Row title={t('computer.logs')} help={t('computer.logsHelp')}>
              <Button variant="default" onClick={() => openLogs.mutate({})}>
                {t('computer.openLogs')}
              </Button>
            </Row>
          </div>
        </Section>
        <Section title={t('computer.about')}>
          <Row title={t('computer.version', { version: state.version, platform })} help={t('computer.quitHelp')}>
            <Button variant="default" leftSection={<IconPower stroke={1.75} />} onClick={() => quit.mutate({})}>
              {t('computer.quit')}
            </Button>
          </Row>
        </Section>
      </div>
    </>
  );
}

interface RowProps {
  readonly title: string;
  readonly help?: string;
  readonly path?: string | null;
  readonly children: React.ReactNode;
}

function Row({ title, help, path = null, children }: RowProps) {
  return (
    <div className={styles.row}>
      <div className={styles.words}>
        <strong>{title}</strong>
        {help !== undefined && <p>{help}</p>}
        {path !== null && (
          <span className={styles.path}>
            <code>{path}</code>
            <CopyIcon text={path} name={t('failed.copyPath')} />
          </span>
        )}
      </div>
      {children}
    </div>
  );
}
