import styles from './fingerprint.module.css';

/** In lines of eight pairs. The first line, which people enter on other devices, stands out. */
export function Fingerprint({ of }: { readonly of: string }) {
  return (
    <p className={styles.fingerprint} translate="no">
      {(of.match(/(?:[^:]+:?){1,8}/g) ?? []).map((piece) => (
        <span key={piece}>{piece.replace(/:$/, '')}</span>
      ))}
    </p>
  );
}
