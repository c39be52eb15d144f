import { useControl } from '../../control/control.tsx';
import { forOthers } from '../../first-run/for-others.ts';
import { t } from '../../messages/messages.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { AddDevice } from '../../parts/trust/add-device.tsx';
import { PageHead } from '../page-head.tsx';
import { SettingGroup, SettingSwitch, SettingsForm, SettingText } from '../settings/settings-form.tsx';
import { OutsideCheck } from './outside-check.tsx';

/** The household's name, its address on the internet, and how devices are added. */
export function Household() {
  return (
    <>
      <PageHead title={t('household.title')} lead={t('household.lead')} />
      <SettingsForm names={['householdName', 'baseUrl', 'announce', 'serviceWorker']}>
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
