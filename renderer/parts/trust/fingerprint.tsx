import styles from './fingerprint.module.css';

/** In pieces of eight pairs, so that lines break where the eye can rest. */
export function Fingerprint({ of }: { readonly of: string }) {
  return (
    <p className={styles.fingerprint}>
      {(of.match(/(?:[^:]+:?){1,8}/g) ?? []).map((piece) => (
        <span key={piece}>{piece}</span>
      ))}
    </p>
  );
}
