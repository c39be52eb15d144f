import { Input } from '@mantine/core';
import { useId } from 'react';
import { t } from '../../messages/messages.ts';
import styles from './reference.module.css';

interface FileFieldProps {
  readonly error: string | null;
  readonly onChoose: (file: File | null) => void;
}

export function FileField({ error, onChoose }: FileFieldProps) {
  const id = useId();
  return (
    <Input.Wrapper
      id={id}
      label={t('reference.console.file')}
      description={t('reference.console.fileHelp')}
      error={error}
    >
      <input
        id={id}
        type="file"
        className={styles.file}
        aria-describedby={`${id}-description${error === null ? '' : ` ${id}-error`}`}
        aria-invalid={error !== null}
        onChange={(event) => onChoose(event.currentTarget.files?.[0] ?? null)}
      />
    </Input.Wrapper>
  );
}

/** @throws when it cannot be read */
export async function inBase64(file: File): Promise<string> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error(file.name));
    reader.readAsDataURL(file);
  });
  return url.slice(url.indexOf(',') + 1);
}
