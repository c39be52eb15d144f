import dark from '../../assets/mark-dark.svg';
import light from '../../assets/mark-light.svg';

/** The logo beside a name; decorative. @param size in pixels, 16 at least */
export function Mark({ size }: { size: number }) {
  return (
    <picture>
      <source srcSet={dark} media="(prefers-color-scheme: dark)" />
      <img src={light} width={size} height={size} alt="" style={{ display: 'block' }} />
    </picture>
  );
}
