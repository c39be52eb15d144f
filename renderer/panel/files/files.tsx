import { useControl } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { SettingGroup, SettingList, SettingNumber, SettingsForm } from '../settings/settings-form.tsx';
import styles from './files.module.css';
import { FilesHead } from './files-head.tsx';
import { CheckAll, Homes } from './homes.tsx';
import { Thumbnails } from './thumbnails.tsx';
import { TrashedHomes } from './trashed-homes.tsx';

/** Homes with the state of their catalogue, and retention settings. */
export function Files() {
  return (
    <>
      <FilesHead actions={<CheckAll />} />
      <Homes />
      <TrashedHomes />
      <Indexed />
      <SettingsForm names={['trashDays', 'versionsKept', 'versionDays', 'homeLocations', 'thumbnailMegabytes']}>
        <SettingGroup title={t('files.policies.title')}>
          <SettingNumber
            name="trashDays"
            label={t('files.policies.trash')}
            help={t('files.policies.trashHelp')}
            unit={t('files.policies.days')}
            min={0}
            max={3_650}
          />
          <SettingNumber
            name="versionsKept"
            label={t('files.policies.versions')}
            help={t('files.policies.versionsHelp')}
            unit={t('files.policies.versionsUnit')}
            min={0}
            max={1_000}
          />
          <SettingNumber
            name="versionDays"
            label={t('files.policies.versionDays')}
            help={t('files.policies.versionDaysHelp')}
            unit={t('files.policies.days')}
            min={0}
            max={36_500}
          />
        </SettingGroup>
        <SettingGroup title={t('files.places.title')}>
          <SettingList name="homeLocations" label={t('files.places.places')} help={t('files.places.placesHelp')} />
        </SettingGroup>
        <SettingGroup title={t('files.thumbnails.title')}>
          <SettingNumber
            name="thumbnailMegabytes"
            label={t('files.thumbnails.most')}
            help={t('files.thumbnails.mostHelp')}
            unit={t('files.thumbnails.unit')}
            min={16}
            max={1_000_000}
          />
          <Thumbnails />
        </SettingGroup>
      </SettingsForm>
    </>
  );
}

/** The progress of the full-text and metadata indexes. */
function Indexed() {
  const status = useControl('status', {}, { every: 5_000 });
  if (status.data === undefined) return null;
  const { texts, embedded } = status.data;
  return (
    <section className={styles.section} aria-label={t('files.search.title')}>
      <h2>{t('files.search.title')}</h2>
      <p>{t('files.search.texts', { indexed: texts.indexed, waiting: texts.waiting, failed: texts.failed })}</p>
      <p>
        {t('files.search.embedded', { indexed: embedded.indexed, waiting: embedded.waiting, failed: embedded.failed })}
      </p>
    </section>
  );
}
