import styles from './avatar.module.css';

interface AvatarProps {
  readonly name: string;
  readonly tint: 'damson' | 'slate' | 'clay' | 'bay';
  readonly large?: boolean;
}

/** A person in a circle: the first letter, in the colour that is theirs everywhere. The name stands beside it. */
export function Avatar({ name, tint, large = false }: AvatarProps) {
  const [first] = [...new Intl.Segmenter().segment(name.trim())];
  return (
    <span className={`${styles.avatar} ${large ? styles.large : ''} ${styles[tint]}`} aria-hidden>
      {first?.segment.toUpperCase()}
    </span>
  );
}
