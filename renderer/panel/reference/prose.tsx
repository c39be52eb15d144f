import { Fragment } from 'react';
import styles from './reference.module.css';

/** Text of the description: paragraphs, with code between backticks. */
export function Prose({ text }: { readonly text: string }) {
  return (
    <div className={styles.prose}>
      {text.split('\n\n').map((paragraph) => (
        <p key={paragraph}>
          <Line text={paragraph} />
        </p>
      ))}
    </div>
  );
}

export function Line({ text }: { readonly text: string }) {
  const pieces = text.split('`');
  return pieces.map((piece, at) => {
    const key = `${at} ${piece}`;
    return at % 2 === 1 ? <code key={key}>{piece}</code> : <Fragment key={key}>{piece}</Fragment>;
  });
}
