import styles from './avatar.module.css';

interface AvatarProps {
  readonly name: string;
  readonly tint: 'damson' | 'slate' | 'clay' | 'bay';
  readonly large?: boolean;
  readonly small?: boolean;
  /** A square JPEG in base64, shown instead of the letter. */
  readonly picture?: string | null;
}

/** A person as a circle: their picture, or the first letter in their avatar colour. The name is shown beside it. */
export function Avatar({ name, tint, large = false, small = false, picture = null }: AvatarProps) {
  const size = `${styles.avatar} ${large ? styles.large : small ? styles.small : ''}`;
  if (picture !== null) return <img className={size} src={`data:image/jpeg;base64,${picture}`} alt="" />;
  const [first] = [...new Intl.Segmenter().segment(name.trim())];
  return (
    <span className={`${size} ${styles[tint]}`} aria-hidden>
      {first?.segment.toUpperCase()}
    </span>
  );
}
