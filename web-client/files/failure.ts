// What people are told when a request failed.

import { texts } from 'virtual:files-texts';
import type { RequestError } from '../lib/requests.ts';
import { showProblem } from './toast.ts';

export function showFailure({ message, status, code }: RequestError): void {
  const text = code === 'somebody_else' ? texts.loadAgain : texts.signIn;
  showProblem(message, status === 401 ? { text, run: () => location.reload() } : null);
}
