import { rich, t } from '../../messages/messages.ts';
import styles from '../../parts/table.module.css';
import type { Parameter } from './description.ts';
import { Line } from './prose.tsx';
import own from './reference.module.css';

export function ParametersTable({ parameters }: { readonly parameters: readonly Parameter[] }) {
  if (parameters.length === 0) return <p className={own.help}>{t('reference.parameters.none')}</p>;
  return (
    <table className={`${styles.table} ${own.parameters}`}>
      <thead>
        <tr>
          <th scope="col">{t('reference.parameters.name')}</th>
          <th scope="col">{t('reference.parameters.type')}</th>
          <th scope="col">{t('reference.parameters.about')}</th>
        </tr>
      </thead>
      <tbody>
        {parameters.map((parameter) => (
          <tr key={parameter.name}>
            <th scope="row">
              <code>{parameter.name}</code>
              {parameter.isRequired && <span className={styles.below}>{t('reference.parameters.required')}</span>}
            </th>
            <td>{parameter.type}</td>
            <td>
              <Meaning parameter={parameter} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The purpose and allowed values. */
function Meaning({ parameter: { about, kind, values, range, standard } }: { readonly parameter: Parameter }) {
  const [min = 0, max = 0] = range ?? [];
  // Larger limits are only technical.
  const isOpen = max >= 10 ** 14;
  return (
    <>
      {kind === 'file' ? t('reference.parameters.file') : <Line text={about} />}
      {values.length > 0 && (
        <span className={own.values}>
          {rich(kind === 'choices' ? 'reference.parameters.someOf' : 'reference.parameters.oneOf', {
            values: <code>{values.join(' ')}</code>,
          })}
        </span>
      )}
      {range !== null && (
        <span className={styles.below}>
          {isOpen ? t('reference.parameters.from', { min }) : t('reference.parameters.range', { min, max })}
        </span>
      )}
      {standard !== '' && (
        <span className={styles.below}>{t('reference.parameters.standard', { value: standard })}</span>
      )}
    </>
  );
}
