import { t } from 'virtual:messages/lib';
import { sizeOf } from './format.ts';

/** "13 bytes", "1.4 KB". */
export function humanSize(bytes: number): string {
  const { unit, amount } = sizeOf(bytes);
  return unit === 'bytes' ? t('sizes.bytes', { count: bytes }) : t(`sizes.${unit}`, { amount });
}
