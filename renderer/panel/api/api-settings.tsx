import { t } from '../../messages/messages.ts';
import { SettingGroup, SettingSwitch, SettingsForm } from '../settings/settings-form.tsx';
import { ApiPage } from './api-page.tsx';

/** Whether apps are allowed, and whether without HTTPS. */
export function ApiSettings() {
  return (
    <ApiPage>
      <SettingsForm names={['apiEnabled', 'webdav', 'nextcloudApps', 'tus', 'httpTesting']}>
        <SettingGroup title={t('panelApi.title')}>
          <SettingSwitch
            name="apiEnabled"
            label={t('panelApi.settings.enable')}
            help={t('panelApi.settings.enableHelp')}
          />
          <SettingSwitch name="webdav" label={t('panelApi.settings.webdav')} help={t('panelApi.settings.webdavHelp')} />
          <SettingSwitch
            name="nextcloudApps"
            label={t('panelApi.settings.nextcloud')}
            help={t('panelApi.settings.nextcloudHelp')}
          />
          <SettingSwitch name="tus" label={t('panelApi.settings.tus')} help={t('panelApi.settings.tusHelp')} />
          <SettingSwitch
            name="httpTesting"
            label={t('panelApi.settings.http')}
            help={t('panelApi.settings.httpHelp')}
          />
        </SettingGroup>
      </SettingsForm>
    </ApiPage>
  );
}
