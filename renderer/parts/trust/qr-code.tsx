import { create } from 'qrcode';
import { useMemo } from 'react';
import styles from './qr-code.module.css';

/** Modules around it that are left white, as readers want it (ISO/IEC 18004). */
const QUIET = 4;

/** Dark on white in either appearance: some readers know no other. @param label what a camera gets from it */
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
