import { apiTexts } from '../../texts/api.ts';
import { householdTexts } from '../../texts/settings.ts';
import { SettingGroup, SettingSwitch, SettingsForm, SettingText } from '../settings/settings-form.tsx';
import { ApiPage } from './api-page.tsx';

const words = apiTexts.settings;

/** Whether apps may come at all, whether without HTTPS, and where to. */
export function ApiSettings() {
  return (
    <ApiPage>
      <SettingsForm names={['apiEnabled', 'httpTesting', 'householdName', 'baseUrl', 'announce']}>
        <SettingGroup title={apiTexts.title}>
          <SettingSwitch name="apiEnabled" label={words.enable} help={words.enableHelp} />
          <SettingSwitch name="httpTesting" label={words.http} help={words.httpHelp} />
        </SettingGroup>
        <SettingGroup title={householdTexts.title}>
          <SettingText name="householdName" label={householdTexts.name} help={householdTexts.nameHelp} />
          <SettingText
            name="baseUrl"
            label={householdTexts.address}
            help={householdTexts.addressHelp}
            inputMode="url"
          />
          <SettingSwitch name="announce" label={householdTexts.announce} help={householdTexts.announceHelp} />
        </SettingGroup>
      </SettingsForm>
    </ApiPage>
  );
}
