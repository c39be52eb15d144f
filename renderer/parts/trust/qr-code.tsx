import { create } from 'qrcode';
import { useMemo } from 'react';
import styles from './qr-code.module.css';

/** The quiet zone in modules (ISO/IEC 18004). */
const QUIET = 4;

/** Dark on white even in dark mode, because some readers need it. @param label for screen readers */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { size, path } = useMemo(() => {
    const { modules } = create(text, { errorCorrectionLevel: 'M' });
    const dark = Array.from({ length: modules.size ** 2 }, (_, index) => index).filter((index) => modules.data[index]);
    const squares = dark.map(
      (index) => `M${(index % modules.size) + QUIET} ${Math.floor(index / modules.size) + QUIET}h1v1h-1z`,
    );
    return { size: modules.size + 2 * QUIET, path: squares.join('') };
  }, [text]);
  return (
    <svg
      className={styles.code}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
