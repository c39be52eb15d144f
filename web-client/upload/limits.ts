// Checks of a file before it is sent.

export interface UploadLimits {
  /** Bytes of one file; 0 for no limit. */
  readonly maxBytes: number;
  /** Extensions in lower case and without a dot; empty for all. */
  readonly types: readonly string[];
}

type Refusal = 'tooLarge' | 'wrongType';

export function refusalOf({ name, size }: Pick<File, 'name' | 'size'>, limits: UploadLimits): Refusal | null {
  const { maxBytes, types } = limits;
  if (maxBytes > 0 && size > maxBytes) return 'tooLarge';
  const isAllowed = types.length === 0 || types.some((type) => name.toLowerCase().endsWith(`.${type}`));
  return isAllowed ? null : 'wrongType';
}

/** Parses a list as people write it: `jpg, .png,*.tif`. */
export function parseTypes(list: string): string[] {
  return list
    .split(',')
    .map((type) =>
      type
        .trim()
        .toLowerCase()
        .replace(/^\*?\.+/, ''),
    )
    .filter((type) => type !== '');
}

/** Whether it can still be read: it may have been changed or deleted since it was chosen. */
export async function isReadable(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
