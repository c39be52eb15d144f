import styles from './fingerprint.module.css';

/** In groups of eight pairs, so that lines break at readable positions. */
export function Fingerprint({ of }: { readonly of: string }) {
  return (
    <p className={styles.fingerprint}>
      {(of.match(/(?:[^:]+:?){1,8}/g) ?? []).map((piece) => (
        <span key={piece}>{piece}</span>
      ))}
    </p>
  );
}
