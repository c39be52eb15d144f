// The messages of failed requests.

import { t } from 'virtual:messages/files';
import type { RequestError } from '../lib/requests.ts';
import { showProblem } from './overlays/toast.ts';

export function showFailure({ message, status, code }: RequestError): void {
  const text = code === 'somebody_else' ? t('files.errors.reload') : t('files.errors.signIn');
  showProblem(message, status === 401 ? { text, run: () => location.reload() } : null);
}
