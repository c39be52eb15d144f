import { t } from '../../messages/messages.ts';
import { SettingGroup, SettingSwitch, SettingsForm, SettingText } from '../settings/settings-form.tsx';
import { ApiPage } from './api-page.tsx';

/** Whether apps are allowed, whether without HTTPS, and the address. */
export function ApiSettings() {
  return (
    <ApiPage>
      <SettingsForm names={['apiEnabled', 'httpTesting', 'householdName', 'baseUrl', 'announce']}>
        <SettingGroup title={t('api.title')}>
          <SettingSwitch name="apiEnabled" label={t('api.settings.enable')} help={t('api.settings.enableHelp')} />
          <SettingSwitch name="httpTesting" label={t('api.settings.http')} help={t('api.settings.httpHelp')} />
        </SettingGroup>
        <SettingGroup title={t('household.title')}>
          <SettingText name="householdName" label={t('household.name')} help={t('household.nameHelp')} />
          <SettingText
            name="baseUrl"
            label={t('household.address')}
            help={t('household.addressHelp')}
            inputMode="url"
          />
          <SettingSwitch name="announce" label={t('household.announce')} help={t('household.announceHelp')} />
        </SettingGroup>
      </SettingsForm>
    </ApiPage>
  );
}
