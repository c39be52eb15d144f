import styles from './avatar.module.css';

interface AvatarProps {
  readonly name: string;
  readonly tint: 'damson' | 'slate' | 'clay' | 'bay';
  readonly large?: boolean;
  readonly small?: boolean;
}

/** A person as a circle: the first letter, in their avatar colour. The name is shown beside it. */
export function Avatar({ name, tint, large = false, small = false }: AvatarProps) {
  const [first] = [...new Intl.Segmenter().segment(name.trim())];
  return (
    <span
      className={`${styles.avatar} ${large ? styles.large : small ? styles.small : ''} ${styles[tint]}`}
      aria-hidden
    >
      {first?.segment.toUpperCase()}
    </span>
  );
}
