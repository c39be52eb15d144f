import { useEffect, useRef } from 'react';
import type { Output } from '../../../server/control/contract/contract.ts';
import { t } from '../../messages/messages.ts';
import { CopyButton } from '../../parts/buttons/copy-button.tsx';
import form from '../../parts/forms/form.module.css';
import { StatusDot } from '../../parts/status-dot.tsx';
import { size } from '../../sizes.ts';
import styles from './reference.module.css';

/** One decimal below 10 ms. */
const rounded = (milliseconds: number) =>
  milliseconds < 10 ? Math.round(milliseconds * 10) / 10 : Math.round(milliseconds);

type Answer = Output<'api.try'>;

/** Image types that cannot contain scripts. */
const PICTURES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif']);

export function AnswerView({ answer }: { readonly answer: Answer }) {
  const { status, milliseconds, headers, mediaType, bytes, shownBytes } = answer;
  const heading = useRef<HTMLHeadingElement>(null);
  // The result may be below the visible part of the page, so it is scrolled into view.
  useEffect(() => {
    // Newer browsers return a promise, which must not be returned as a clean-up.
    void heading.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const isCut = bytes !== shownBytes;
  return (
    <div className={styles.answer}>
      <div className={form.head}>
        <h3 ref={heading} className={styles.title}>
          {t('reference.answer.title')}
        </h3>
        {answer.body.kind === 'text' && answer.body.text !== '' && (
          <CopyButton text={answer.body.text.slice(0, 10_000)} word={t('reference.answer.copy')} size="xs" />
        )}
      </div>
      <p role="status" className={styles.status}>
        <StatusDot tone={status < 400 ? 'good' : 'danger'} />
        <strong>{status}</strong>{' '}
        <span className={styles.quiet}>{t('reference.answer.time', { milliseconds: rounded(milliseconds) })}</span>
        <span className={styles.quiet}>{mediaType}</span>
      </p>
      <Refused answer={answer} />
      <details>
        <summary>{t('reference.answer.headers', { count: headers.length })}</summary>
        <dl className={styles.headers}>
          {headers.map(({ name, value }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a header may occur twice, and the list never changes
            <div key={at}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      <Body answer={answer} />
      {isCut && (
        <p className={styles.help}>
          {bytes === null
            ? t('reference.answer.cutOfMany', { shown: size(shownBytes) })
            : t('reference.answer.cut', { shown: size(shownBytes), all: size(bytes) })}
        </p>
      )}
    </div>
  );
}

function Body({ answer: { body, mediaType, bytes, shownBytes } }: { readonly answer: Answer }) {
  if (body.kind === 'text') {
    if (body.text === '') return <p className={styles.help}>{t('reference.answer.empty')}</p>;
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be scrollable by keyboard
      <section className={`${form.line} ${styles.body}`} aria-label={t('reference.answer.body')} tabIndex={0}>
        {inLines(body.text)}
      </section>
    );
  }
  return (
    <>
      <p>
        {t('reference.answer.bytes', { size: size(bytes ?? shownBytes), type: mediaType === '' ? 'none' : mediaType })}
      </p>
      {PICTURES.has(mediaType) && bytes === shownBytes && (
        <img
          className={styles.picture}
          src={`data:${mediaType};base64,${body.base64}`}
          alt={t('reference.answer.picture')}
        />
      )}
    </>
  );
}

/** The text of an error. */
function Refused({ answer: { status, body } }: { readonly answer: Answer }) {
  const { error, code } = status >= 400 && body.kind === 'text' ? refusalIn(body.text) : { error: '', code: '' };
  if (error === '') return null;
  return (
    <p className={styles.refused}>
      {error} <code>{code}</code>
    </p>
  );
}

function refusalIn(text: string): { error: string; code: string } {
  const { error, code } = (parsed(text) ?? {}) as { error?: unknown; code?: unknown };
  return { error: typeof error === 'string' ? error : '', code: typeof code === 'string' ? code : '' };
}

/** Formats JSON; other text stays unchanged. */
function inLines(text: string): string {
  const value = parsed(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
