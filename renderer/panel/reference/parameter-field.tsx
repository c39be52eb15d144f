import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { referenceTexts } from '../../texts/reference.ts';
import type { Parameter } from './description.ts';
import styles from './reference.module.css';
import { linesOf } from './request.ts';

const words = referenceTexts.console;

interface ParameterFieldProps {
  readonly parameter: Parameter;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The field of a parameter that is no file, labelled as it is called. */
export function ParameterField({ parameter, value, onChange }: ParameterFieldProps) {
  const { name, kind, values } = parameter;
  const label = <code>{name}</code>;
  switch (kind) {
    case 'flag':
    case 'choice': {
      const options =
        kind === 'choice'
          ? values.map((one) => ({ value: one, label: one }))
          : [
              { value: '1', label: words.yes },
              { value: '0', label: words.no },
            ];
      return (
        <NativeSelect
          label={label}
          data={[{ value: '', label: words.unsent }, ...options]}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    }
    case 'choices':
      return (
        <Checkbox.Group label={label} value={linesOf(value)} onChange={(chosen) => onChange(chosen.join('\n'))}>
          <div className={styles.choices}>
            {values.map((one) => (
              <Checkbox key={one} value={one} label={one} size="xs" />
            ))}
          </div>
        </Checkbox.Group>
      );
    case 'list':
    case 'keyed':
      return (
        <Textarea
          label={label}
          description={kind === 'list' ? words.lines : words.keyed}
          autosize
          minRows={2}
          maxRows={8}
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    default:
      return (
        <TextInput
          label={label}
          autoComplete="off"
          spellCheck={false}
          inputMode={kind === 'number' ? 'numeric' : 'text'}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}
