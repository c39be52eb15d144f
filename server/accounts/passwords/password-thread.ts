import { parentPort } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';
import type { PasswordReply, PasswordTask } from './password-protocol.ts';

parentPort?.on('message', (task: PasswordTask) => parentPort?.postMessage(done(task)));

function done(task: PasswordTask): PasswordReply {
  try {
    if (task.kind === 'hash') return { ok: true, value: hashSync(task.password, task.options) };
    return { ok: true, value: verifySync(task.passwordHash, task.password) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
