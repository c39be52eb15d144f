import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { t } from '../../messages/messages.ts';
import type { Parameter } from './description.ts';
import styles from './reference.module.css';
import { linesOf } from './request.ts';

interface ParameterFieldProps {
  readonly parameter: Parameter;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The field of a parameter that is not a file, labelled with its name. */
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
              { value: '1', label: t('reference.console.yes') },
              { value: '0', label: t('reference.console.no') },
            ];
      return (
        <NativeSelect
          label={label}
          data={[{ value: '', label: t('reference.console.unsent') }, ...options]}
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
          description={kind === 'list' ? t('reference.console.lines') : t('reference.console.keyed')}
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
