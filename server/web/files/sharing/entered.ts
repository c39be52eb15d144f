import { ApiError } from '../../../http/errors.ts';
import { t } from '../../../messages/messages.ts';
import type { ShareRequest } from '../../../sharing/share.ts';
import { LEVELS } from './page.ts';

// What people enter in the forms for sharing.

/** The chosen recipient. @throws ApiError when none was chosen */
export function recipientIn({ to = '' }: Readonly<Record<string, string>>): { uid?: number; gid?: number } {
  const match = /^([ug])([1-9]\d{0,14})$/.exec(to);
  if (match === null) throw new ApiError('missing_parameter', t('sharing.add.chooseFirst'));
  return match[1] === 'u' ? { uid: Number(match[2]) } : { gid: Number(match[2]) };
}

/** The chosen rights. */
export function rightsIn(fields: Readonly<Record<string, string>>): ShareRequest {
  const level = LEVELS.find((one) => one === fields.level) ?? 'look';
  const isOn = (name: string) => fields[name] === '1';
  return {
    upload: level !== 'look',
    alter: level === 'change',
    download: isOn('download'),
    comment: isOn('comments'),
    read_comments: isOn('comments'),
    share: isOn('further'),
    anonymous: isOn('unnamed'),
    alias: fields.alias ?? '',
  };
}
