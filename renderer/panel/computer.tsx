import { Button } from '@mantine/core';
import { IconFolder, IconPower } from '@tabler/icons-react';
import { useDesktopChange, useInWindow } from '../control/desktop.tsx';
import { CopyIcon } from '../parts/buttons/copy-button.tsx';
import { PortForm } from '../parts/forms/port-form.tsx';
import { SwitchRow } from '../parts/forms/switch-row.tsx';
import { RefusalNote } from '../parts/note.tsx';
import { Section } from '../parts/section.tsx';
import { texts } from '../texts/texts.ts';
import styles from './computer.module.css';
import { PageHead } from './page-head.tsx';

const words = texts.computer;

/** How the application behaves on this computer. */
export function Computer() {
  const { state } = useInWindow();
  const set = useDesktopChange('desktop.set');
  const openFolder = useDesktopChange('desktop.openFolder');
  const openLogs = useDesktopChange('desktop.openLogs');
  const quit = useDesktopChange('desktop.quit');
  const platform = words.platforms[state.platform] ?? state.platform;
  return (
    <>
      <PageHead title={words.heading} lead={words.lead} />
      <div className={styles.sections}>
        <RefusalNote error={set.error ?? openFolder.error ?? openLogs.error ?? quit.error} />
        <Section title={words.behaviour}>
          <div className={styles.rows}>
            <SwitchRow
              label={words.startsAtLogin}
              help={state.startsAtLogin === null ? words.startsAtLoginNever : words.startsAtLoginHelp}
              checked={state.startsAtLogin ?? false}
              disabled={state.startsAtLogin === null}
              onChange={(startsAtLogin) => set.mutate({ startsAtLogin })}
            />
            <SwitchRow
              label={words.keepsAwake}
              help={words.keepsAwakeHelp}
              checked={state.keepsAwake}
              onChange={(keepsAwake) => set.mutate({ keepsAwake })}
            />
          </div>
        </Section>
        <Section title={words.address}>
          <PortForm />
        </Section>
        <Section title={words.places}>
          <div className={styles.rows}>
            <Row title={words.folder} path={state.folder}>
              <Button
                variant="default"
                leftSection={<IconFolder stroke={1.75} />}
                onClick={() => openFolder.mutate({})}
              >
                {words.openFolder}
              </Button>
            </Row>
            <Row title={words.logs} help={words.logsHelp}>
              <Button variant="default" onClick={() => openLogs.mutate({})}>
                {words.openLogs}
              </Button>
            </Row>
          </div>
        </Section>
        <Section title={words.about}>
          <Row title={words.version(state.version, platform)} help={words.quitHelp}>
            <Button variant="default" leftSection={<IconPower stroke={1.75} />} onClick={() => quit.mutate({})}>
              {words.quit}
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
            <CopyIcon text={path} what={texts.failed.folder} />
          </span>
        )}
      </div>
      {children}
    </div>
  );
}
