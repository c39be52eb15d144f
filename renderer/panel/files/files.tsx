import { useControl } from '../../control/control.tsx';
import { filesTexts as words } from '../../texts/files.ts';
import { PageHead } from '../page-head.tsx';
import { SettingGroup, SettingList, SettingNumber, SettingsForm } from '../settings/settings-form.tsx';
import styles from './files.module.css';
import { CheckAll, Homes } from './homes.tsx';
import { Thumbnails } from './thumbnails.tsx';
import { TrashedHomes } from './trashed-homes.tsx';

/** Homes and how far their catalogue is, and what is kept of files. */
export function Files() {
  const { policies, places, thumbnails } = words;
  return (
    <>
      <PageHead title={words.title} lead={words.lead} actions={<CheckAll />} isWide />
      <Homes />
      <TrashedHomes />
      <Indexed />
      <SettingsForm names={['trashDays', 'versionsKept', 'versionDays', 'homePlaces', 'thumbnailMegabytes']}>
        <SettingGroup title={policies.title}>
          <SettingNumber
            name="trashDays"
            label={policies.trash}
            help={policies.trashHelp}
            unit={policies.days}
            min={0}
            max={3_650}
          />
          <SettingNumber
            name="versionsKept"
            label={policies.versions}
            help={policies.versionsHelp}
            unit={policies.versionsUnit}
            min={0}
            max={1_000}
          />
          <SettingNumber
            name="versionDays"
            label={policies.versionDays}
            help={policies.versionDaysHelp}
            unit={policies.days}
            min={0}
            max={36_500}
          />
        </SettingGroup>
        <SettingGroup title={places.title}>
          <SettingList name="homePlaces" label={places.places} help={places.placesHelp} />
        </SettingGroup>
        <SettingGroup title={thumbnails.title}>
          <SettingNumber
            name="thumbnailMegabytes"
            label={thumbnails.most}
            help={thumbnails.mostHelp}
            unit={thumbnails.unit}
            min={16}
            max={1_000_000}
          />
          <Thumbnails />
        </SettingGroup>
      </SettingsForm>
    </>
  );
}

/** How far the words of documents, and what photos and songs say of themselves, are known. */
function Indexed() {
  const status = useControl('status', {}, { every: 5_000 });
  if (status.data === undefined) return null;
  const { texts, embedded } = status.data;
  return (
    <section className={styles.section} aria-label={words.words.title}>
      <h2>{words.words.title}</h2>
      <p>{words.words.texts(texts.indexed, texts.waiting, texts.failed)}</p>
      <p>{words.words.embedded(embedded.indexed, embedded.waiting, embedded.failed)}</p>
    </section>
  );
}
