import { t } from '../../messages/messages.ts';
import { SettingGroup, SettingSwitch, SettingsForm, SettingText } from '../settings/settings-form.tsx';
import { ApiPage } from './api-page.tsx';

/** Whether apps are allowed, whether without HTTPS, and the address. */
export function ApiSettings() {
  return (
    <ApiPage>
      <SettingsForm names={['apiEnabled', 'httpTesting', 'householdName', 'baseUrl', 'announce']}>
        <SettingGroup title={t('panelApi.title')}>
          <SettingSwitch
            name="apiEnabled"
            label={t('panelApi.settings.enable')}
            help={t('panelApi.settings.enableHelp')}
          />
          <SettingSwitch
            name="httpTesting"
            label={t('panelApi.settings.http')}
            help={t('panelApi.settings.httpHelp')}
          />
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
