import { securityTexts as words } from '../../texts/settings.ts';
import { PageHead } from '../page-head.tsx';
import { SettingGroup, SettingList, SettingNumber, SettingSwitch, SettingsForm } from '../settings/settings-form.tsx';
import { Locked } from './locked.tsx';
import { PanelAddress } from './panel-address.tsx';

/** Passwords, how long one stays signed in, and guests. */
export function Security() {
  const { passwords, sessions, guests, proxies, remote } = words;
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
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
        <SettingGroup title={passwords.title}>
          <SettingNumber
            name="wrongPasswordLimit"
            label={passwords.limit}
            help={passwords.limitHelp}
            unit={passwords.limitUnit}
            min={3}
            max={100}
          />
          <SettingNumber
            name="passwordMinLength"
            label={passwords.least}
            help={passwords.leastHelp}
            unit={passwords.leastUnit}
            min={8}
            max={64}
          />
        </SettingGroup>
        <Locked />
        <SettingGroup title={sessions.title}>
          <SettingNumber
            name="sessionMinutes"
            label={sessions.minutes}
            help={sessions.minutesHelp}
            unit={sessions.minutesUnit}
            min={5}
            max={1_440}
          />
        </SettingGroup>
        <SettingGroup title={remote.title}>
          <SettingSwitch name="remotePanel" label={remote.allow} help={remote.allowHelp} />
          <PanelAddress />
        </SettingGroup>
        <SettingGroup title={guests.title}>
          <SettingNumber
            name="guestLinkDays"
            label={guests.link}
            help={guests.linkHelp}
            unit={guests.linkUnit}
            min={1}
            max={3_650}
          />
          <SettingNumber
            name="guestsKeptDays"
            label={guests.kept}
            help={guests.keptHelp}
            unit={guests.keptUnit}
            min={0}
            max={3_650}
          />
        </SettingGroup>
        <SettingGroup title={proxies.title}>
          <SettingList name="trustedProxies" label={proxies.list} help={proxies.help} />
        </SettingGroup>
      </SettingsForm>
    </>
  );
}
