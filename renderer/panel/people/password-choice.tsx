import { Input, PasswordInput, SegmentedControl } from '@mantine/core';
import { useControl } from '../../control/control.tsx';
import { reasonOf } from '../../parts/note.tsx';
import { peopleTexts } from '../../texts/people.ts';
import { Refusal } from '../../transport/transport.ts';

const words = peopleTexts.add;

export type PasswordWay = 'generate' | 'type' | 'none';

/** What the contract is told. */
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
  /** Of the change it is part of: shown here if it is about the password. */
  readonly error: Error | null;
}

export function PasswordChoice({ ways, way, onWay, typed, onTyped, isMissing, error }: PasswordChoiceProps) {
  const settings = useControl('settings.get', {});
  const least = settings.data?.passwordMinLength;
  const isOfPassword = error instanceof Refusal && error.failure.field === 'password';
  return (
    <>
      <Input.Wrapper label={words.password} labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label={words.password}
          data={ways.map((value) => ({ value, label: words.ways[value] }))}
          value={way}
          onChange={(picked) => onWay(ways.find((one) => one === picked) ?? 'generate')}
        />
      </Input.Wrapper>
      {way === 'type' && (
        <PasswordInput
          label={words.typed}
          description={least === undefined ? '' : words.typedHelp(least)}
          autoComplete="new-password"
          value={typed}
          error={isMissing && typed === '' ? words.needed.password : isOfPassword && reasonOf(error)}
          onChange={(event) => onTyped(event.currentTarget.value)}
        />
      )}
    </>
  );
}
