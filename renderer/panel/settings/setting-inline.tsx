import { SettingNumber, SettingsForm } from './settings-form.tsx';

type NumberProps = Parameters<typeof SettingNumber>[0];

/** One setting at the foot of the page that it is about. */
export function SettingNumberInline(props: NumberProps) {
  return (
    <SettingsForm names={[props.name]}>
      <SettingNumber {...props} />
    </SettingsForm>
  );
}
