import { NativeSelect } from '@mantine/core';
import type { Output } from '../../../server/control/contract/contract.ts';
import { useControl, useControlChange } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { SwitchRow } from '../../parts/forms/switch-row.tsx';
import { Note, RefusalNote, reasonOf } from '../../parts/note.tsx';
import { Skeletons } from '../../parts/skeletons.tsx';
import {
  Label,
  SettingGroup,
  SettingNumber,
  SettingSwitch,
  SettingsForm,
  SettingText,
  useSettings,
} from '../settings/settings-form.tsx';
import type { BackupState } from './backup.ts';
import { BackupPage } from './backup-page.tsx';
import styles from './backup-settings.module.css';
import { Keys } from './keys.tsx';

type Every = Output<'settings.get'>['backupEvery'];

const NAMES = ['backupFolder', 'backupEvery', 'backupHour', 'backupFiles', 'backupHistory', 'backupKeep'] as const;
const STALE = ['backup.state', 'backup.list'] as const;

/** The destination, content and schedule of backups. */
export function BackupSettings() {
  const state = useControl('backup.state', {});
  return (
    <BackupPage>
      {state.error !== null && (
        <Note tone="danger" action={{ word: t('common.tryAgain'), run: () => state.refetch() }}>
          {t('common.unread')} {reasonOf(state.error)}
        </Note>
      )}
      {state.data === undefined ? (
        state.error === null && <Skeletons widths={[500, 460, 480, 440]} />
      ) : (
        <SettingsForm names={NAMES} stale={STALE}>
          <SettingGroup title={t('backup.settings.groups.place')}>
            <Place state={state.data} />
          </SettingGroup>
          <SettingGroup title={t('backup.settings.groups.contents')}>
            <SettingSwitch
              name="backupFiles"
              label={t('backup.settings.files')}
              help={t('backup.settings.filesHelp')}
            />
            <History />
          </SettingGroup>
          <SettingGroup title={t('backup.settings.groups.keys')}>
            <Keys isSet={state.data.passphraseSet} />
          </SettingGroup>
          <SettingGroup title={t('backup.settings.groups.schedule')}>
            <Schedule />
            <SettingNumber
              name="backupKeep"
              label={t('backup.settings.keep')}
              help={t('backup.settings.keepHelp')}
              unit={t('backup.settings.keepUnit')}
              min={1}
              max={1_000}
            />
          </SettingGroup>
        </SettingsForm>
      )}
    </BackupPage>
  );
}

function Place({ state }: { readonly state: BackupState }) {
  const { isChanged, values } = useSettings();
  const update = useControlChange('settings.update', ['settings.get', 'status', ...STALE]);
  const isAway = !state.placeThere && values.backupFolder !== '' && !isChanged('backupFolder');
  const isOwn = values.backupFolder === '' && !isChanged('backupFolder');
  return (
    <>
      <SettingText
        name="backupFolder"
        label={t('backup.settings.place')}
        help={isOwn ? t('backup.settings.placeNow', { place: state.place }) : t('backup.settings.placeHelp')}
      />
      <RefusalNote error={update.error} />
      {isAway && (
        <Note
          tone="care"
          action={{
            word: t('backup.settings.useAnew'),
            run: () => update.mutate({ backupFolder: values.backupFolder }),
          }}
        >
          {t('backup.settings.away', { place: values.backupFolder })}
        </Note>
      )}
    </>
  );
}

/** Without files there is no history, whatever the setting. */
function History() {
  const { values, set, isChanged } = useSettings();
  const { backupFiles, backupHistory } = values;
  return (
    <SwitchRow
      label={t('backup.settings.history')}
      help={backupFiles ? t('backup.settings.historyHelp') : t('backup.settings.historyNever')}
      checked={backupHistory && backupFiles}
      disabled={!backupFiles}
      isChanged={isChanged('backupHistory')}
      onChange={(checked) => set({ backupHistory: checked })}
    />
  );
}

function Schedule() {
  const { values, set, isChanged } = useSettings();
  const { backupEvery, backupHour } = values;
  const isNever = backupEvery === 'never';
  return (
    <div>
      <div className={styles.pair}>
        <NativeSelect
          label={<Label isChanged={isChanged('backupEvery')}>{t('backup.settings.every')}</Label>}
          value={backupEvery}
          data={EVERY.map((value) => ({ value, label: t(`backup.settings.everyOptions.${value}`) }))}
          onChange={(event) => set({ backupEvery: event.currentTarget.value as Every })}
        />
        {!isNever && (
          <NativeSelect
            label={<Label isChanged={isChanged('backupHour')}>{t('backup.settings.hour')}</Label>}
            value={String(backupHour)}
            data={HOURS}
            onChange={(event) => set({ backupHour: Number(event.currentTarget.value) })}
          />
        )}
      </div>
      <p className={styles.help}>{isNever ? t('backup.settings.neverHelp') : t('backup.settings.hourHelp')}</p>
    </div>
  );
}

const EVERY = ['day', 'week', 'never'] as const satisfies readonly Every[];

const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}));
