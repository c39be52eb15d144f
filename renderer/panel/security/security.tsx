import { t } from '../../messages/messages.ts';
import { PageHead } from '../page-head.tsx';
import { SettingGroup, SettingList, SettingNumber, SettingSwitch, SettingsForm } from '../settings/settings-form.tsx';
import { Locked } from './locked.tsx';
import { PanelAddress } from './panel-address.tsx';

/** Settings of passwords, sessions and guests. */
export function Security() {
  return (
    <>
      <PageHead title={t('security.title')} lead={t('security.lead')} />
      <SettingsForm
        names={[
          'wrongPasswordLimit',
          'passwordMinLength',
          'sessionMinutes',
          'guestLinkDays',
          'guestsKeptDays',
          'trustedProxies',
          'remotePanel',
        ]}
      >
        <SettingGroup title={t('security.passwords.title')}>
          <SettingNumber
            name="wrongPasswordLimit"
            label={t('security.passwords.limit')}
            help={t('security.passwords.limitHelp')}
            unit={t('security.passwords.limitUnit')}
            min={3}
            max={100}
          />
          <SettingNumber
            name="passwordMinLength"
            label={t('security.passwords.least')}
            help={t('security.passwords.leastHelp')}
            unit={t('security.passwords.leastUnit')}
            min={8}
            max={64}
          />
        </SettingGroup>
        <Locked />
        <SettingGroup title={t('security.sessions.title')}>
          <SettingNumber
            name="sessionMinutes"
            label={t('security.sessions.minutes')}
            help={t('security.sessions.minutesHelp')}
            unit={t('security.sessions.minutesUnit')}
            min={5}
            max={1_440}
          />
        </SettingGroup>
        <SettingGroup title={t('security.remote.title')}>
          <SettingSwitch name="remotePanel" label={t('security.remote.allow')} help={t('security.remote.allowHelp')} />
          <PanelAddress />
        </SettingGroup>
        <SettingGroup title={t('security.guests.title')}>
          <SettingNumber
            name="guestLinkDays"
            label={t('security.guests.link')}
            help={t('security.guests.linkHelp')}
            unit={t('security.guests.linkUnit')}
            min={1}
            max={3_650}
          />
          <SettingNumber
            name="guestsKeptDays"
            label={t('security.guests.kept')}
            help={t('security.guests.keptHelp')}
            unit={t('security.guests.keptUnit')}
            min={0}
            max={3_650}
          />
        </SettingGroup>
        <SettingGroup title={t('security.proxies.title')}>
          <SettingList name="trustedProxies" label={t('security.proxies.list')} help={t('security.proxies.help')} />
        </SettingGroup>
      </SettingsForm>
    </>
  );
}
