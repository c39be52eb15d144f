import { useControl } from '../../control/control.tsx';
import { forOthers } from '../../first-run/for-others.ts';
import { t } from '../../messages/messages.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Note } from '../../parts/note.tsx';
import { AddDevice } from '../../parts/trust/add-device.tsx';
import { PageHead } from '../page-head.tsx';
import { SettingGroup, SettingNumber, SettingSwitch, SettingsForm, SettingText } from '../settings/settings-form.tsx';
import { OutsideCheck } from './outside-check.tsx';

const NAMES = [
  ...(['householdName', 'baseUrl', 'announce', 'serviceWorker'] as const),
  ...(['mapTileUrl', 'mapTileAttribution', 'mapTileZoom'] as const),
];

/** The household's name, its address on the internet, and how devices are added. */
export function Household() {
  return (
    <>
      <PageHead title={t('household.title')} lead={t('household.lead')} />
      <SettingsForm names={NAMES}>
        <SettingGroup title={t('household.nameTitle')}>
          <SettingText name="householdName" label={t('household.name')} help={t('household.nameHelp')} />
        </SettingGroup>
        <SettingGroup title={t('household.addressTitle')}>
          <SettingText
            name="baseUrl"
            label={t('household.address')}
            help={t('household.addressHelp')}
            inputMode="url"
          />
          <OutsideCheck />
          <SettingSwitch name="announce" label={t('household.announce')} help={t('household.announceHelp')} />
          <SettingSwitch
            name="serviceWorker"
            label={t('household.serviceWorker')}
            help={t('household.serviceWorkerHelp')}
          />
        </SettingGroup>
        <SettingGroup title={t('household.mapTitle')}>
          <Note tone="care">{t('household.mapWarning')}</Note>
          <SettingText
            name="mapTileUrl"
            label={t('household.mapTileUrl')}
            help={t('household.mapTileUrlHelp', { example: 'https://tiles.example/{z}/{x}/{y}.png' })}
            inputMode="url"
          />
          <SettingText
            name="mapTileAttribution"
            label={t('household.mapTileAttribution')}
            help={t('household.mapTileAttributionHelp')}
          />
          <SettingNumber
            name="mapTileZoom"
            label={t('household.mapTileZoom')}
            help={t('household.mapTileZoomHelp')}
            unit={t('household.mapTileZoomUnit')}
            min={1}
            max={22}
          />
        </SettingGroup>
        <SettingGroup title={t('trust.title')}>
          <Devices />
        </SettingGroup>
      </SettingsForm>
    </>
  );
}

function Devices() {
  const status = useControl('status', {});
  return (
    <Loaded query={status} widths={[280, 240]}>
      {({ addresses, authorityFingerprint }) => {
        const [address] = forOthers(addresses);
        if (address === undefined) return <p>{t('trust.alone')}</p>;
        return <AddDevice address={address} fingerprint={authorityFingerprint} />;
      }}
    </Loaded>
  );
}
