import { t } from '../../messages/messages.ts';
import table from '../../parts/table.module.css';
import type { Answer, Field, Operation } from './description.ts';
import styles from './reference.module.css';

/** Result fields that are shown at first. */
const FEW = 8;

interface AnswersProps {
  readonly operation: Operation;
  readonly codes: Readonly<Record<string, number>>;
}

/** The results of an operation, and its errors. */
export function Answers({ operation: { answers, codes: own }, codes }: AnswersProps) {
  return (
    <section className={styles.answers}>
      <h3>{t('reference.answers.title')}</h3>
      {answers.map((answer) => (
        <One key={answer.status} answer={answer} />
      ))}
      <h3 className={styles.errors}>{t('reference.answers.errors')}</h3>
      <p className={styles.help}>{t('reference.answers.errorsHelp')}</p>
      {own.length > 0 && (
        <p>
          {t('reference.answers.own')}{' '}
          {own.map((code) => (
            <span key={code} className={styles.code}>
              <code>{code}</code> {codes[code]}
            </span>
          ))}
        </p>
      )}
      <details>
        <summary>{t('reference.answers.any', { count: Object.keys(codes).length })}</summary>
        <ul className={styles.codes}>
          {Object.entries(codes).map(([code, status]) => (
            <li key={code}>
              {status} <code>{code}</code>
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}

function One({ answer: { status, fields } }: { readonly answer: Answer }) {
  if (fields === null) {
    return (
      <p>
        <strong>{status}</strong> {status === '304' ? t('reference.answers.unchanged') : t('reference.answers.content')}
      </p>
    );
  }
  const isLong = fields.length > FEW;
  return (
    <>
      <p>
        <strong>{status}</strong> {t('reference.answers.json')}
      </p>
      {isLong ? (
        <details>
          <summary>{t('reference.answers.fields', { count: fields.length })}</summary>
          <Fields fields={fields} />
        </details>
      ) : (
        <Fields fields={fields} />
      )}
    </>
  );
}

function Fields({ fields }: { readonly fields: readonly Field[] }) {
  return (
    <table className={`${table.table} ${styles.fields}`}>
      <tbody>
        {fields.map(({ name, type }) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td>{type}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
