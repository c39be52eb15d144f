import { SettingNumber, SettingsForm } from './settings-form.tsx';

type NumberProps = Parameters<typeof SettingNumber>[0];

/** One setting at the bottom of its page. */
export function SettingNumberInline(props: NumberProps) {
  return (
    <SettingsForm names={[props.name]}>
      <SettingNumber {...props} />
    </SettingsForm>
  );
}
