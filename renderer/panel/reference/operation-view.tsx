import { SegmentedControl } from '@mantine/core';
import { useId, useState } from 'react';
import { rich, t } from '../../messages/messages.ts';
import { CopyIcon } from '../../parts/buttons/copy-button.tsx';
import { Answers } from './answers.tsx';
import { Console } from './console.tsx';
import type { Description, Method, Operation } from './description.ts';
import { ParametersTable } from './parameters-table.tsx';
import { Line, Prose } from './prose.tsx';
import styles from './reference.module.css';

interface OperationViewProps {
  readonly operation: Operation;
  readonly description: Description;
}

export function OperationView({ operation, description }: OperationViewProps) {
  const { path, summary, about, scopes, callForms } = operation;
  const [chosen, setChosen] = useState<Method | undefined>(callForms[0]?.method);
  const callForm = callForms.find(({ method }) => method === chosen);
  const id = useId();
  if (callForm === undefined) return null;
  return (
    <article className={styles.operation} aria-labelledby={id}>
      <header>
        <h2 id={id}>
          <Line text={summary} />
        </h2>
        <p className={styles.copied}>
          <code>
            <strong className={styles.method}>{callForm.method}</strong> {path}
          </code>
          <CopyIcon text={path} name={t('reference.copyPath')} />
        </p>
        {callForms.length > 1 && (
          <SegmentedControl
            size="xs"
            aria-label={t('reference.method')}
            data={callForms.map(({ method }) => method)}
            value={callForm.method}
            onChange={(method) => setChosen(method as Method)}
          />
        )}
        <p className={styles.scopes}>
          {rich('reference.scope', { count: scopes.length, scopes: <code>{scopes.join(' ')}</code> })}
        </p>
      </header>
      {about !== '' && <Prose text={about} />}
      <section>
        <h3>{t('reference.parameters.title')}</h3>
        <ParametersTable parameters={callForm.parameters} />
      </section>
      <Answers operation={operation} codes={description.codes} />
      <Console operation={operation} callForm={callForm} apiPath={description.apiPath} />
    </article>
  );
}
