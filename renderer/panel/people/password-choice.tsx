import { Input, SegmentedControl } from '@mantine/core';
import { useControl } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { PasswordField } from '../../parts/forms/password-field.tsx';
import { reasonOf } from '../../parts/note.tsx';
import { Refusal } from '../../transport/transport.ts';

export type PasswordWay = 'generate' | 'type' | 'none';

/** The input of the contract. */
export function passwordInput(way: PasswordWay, typed: string): { password?: string; generatePassword?: true } {
  return way === 'generate' ? { generatePassword: true } : way === 'type' ? { password: typed } : {};
}

interface PasswordChoiceProps {
  readonly ways: readonly PasswordWay[];
  readonly way: PasswordWay;
  readonly onWay: (way: PasswordWay) => void;
  readonly typed: string;
  readonly onTyped: (typed: string) => void;
  readonly isMissing: boolean;
  /** The error of the whole form: shown here if it concerns the password. */
  readonly error: Error | null;
}

export function PasswordChoice({ ways, way, onWay, typed, onTyped, isMissing, error }: PasswordChoiceProps) {
  const settings = useControl('settings.get', {});
  const least = settings.data?.passwordMinLength;
  const isOfPassword = error instanceof Refusal && error.failure.field === 'password';
  return (
    <>
      <Input.Wrapper label={t('people.add.password')} labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label={t('people.add.password')}
          data={ways.map((value) => ({ value, label: t(`people.add.ways.${value}`) }))}
          value={way}
          onChange={(picked) => onWay(ways.find((one) => one === picked) ?? 'generate')}
        />
      </Input.Wrapper>
      {way === 'type' && (
        <PasswordField
          label={t('people.add.typed')}
          description={least === undefined ? '' : t('people.add.typedHelp', { least })}
          autoComplete="new-password"
          value={typed}
          error={isMissing && typed === '' ? t('people.add.needed.password') : isOfPassword && reasonOf(error)}
          onChange={(event) => onTyped(event.currentTarget.value)}
        />
      )}
    </>
  );
}
