import type { z } from 'zod';
import { systemFailure } from '../http/system-failure.ts';
import { CONTROL, type Origin } from '../lib/events.ts';
import type { Log } from '../lib/log/log.ts';
import { larderCommand } from '../lib/process/larder-command.ts';
import { t } from '../messages/messages.ts';
import {
  type Caller,
  type CheckedInput,
  type Contract,
  type ControlFailure,
  contract,
  type MethodName,
  type Output,
} from './contract/contract.ts';
import type { ControlEventSource } from './events.ts';

/** A refused call. The message is one sentence for the owner. */
export class ControlError extends Error {
  readonly code: ControlFailure['code'];
  readonly field: string | undefined;

  constructor(code: ControlFailure['code'], message: string, field?: string) {
    super(message);
    this.name = 'ControlError';
    this.code = code;
    this.field = field;
  }

  toFailure(): ControlFailure {
    return { error: this.message, code: this.code, ...(this.field === undefined ? {} : { field: this.field }) };
  }
}

/** @param origin where the call comes from, for the activity log */
export type Handlers = {
  readonly [Name in MethodName]: (input: CheckedInput<Name>, origin: Origin) => Promise<Output<Name>>;
};

export interface Dispatcher {
  /**
   * Checks the name, the caller and the input, runs the handler, and checks its output.
   * @param origin where the call comes from; this computer unless given
   * @throws ControlError
   */
  dispatch(name: string, input: unknown, origin?: Origin): Promise<unknown>;
  /** The events for the owner. @throws ControlError while there is no owner */
  events(): Promise<ControlEventSource>;
}

export function createDispatcher(
  handlers: Handlers,
  events: ControlEventSource,
  caller: () => Promise<Caller>,
  log: Log,
): Dispatcher {
  return {
    async events() {
      if ((await caller()) !== 'owner') throw new ControlError('not_allowed', refusal(['owner']));
      return events;
    },

    async dispatch(name, input, origin = CONTROL) {
      if (!isMethod(name)) throw new ControlError('unknown_method', t('api.control.unknownMethod', { method: name }));
      const method: Contract[MethodName] = contract[name];
      if (!(method.may as readonly Caller[]).includes(await caller())) {
        throw new ControlError('not_allowed', refusal(method.may));
      }
      const checked = method.input.safeParse(input);
      if (!checked.success) {
        const issue = checked.error.issues[0];
        const field = issue?.path.join('.') ?? '';
        throw new ControlError('invalid_input', invalidInputText(field, issue), field);
      }
      try {
        const handler = handlers[name] as (input: unknown, origin: Origin) => Promise<unknown>;
        return method.output.parse(await handler(checked.data, origin));
      } catch (error) {
        if (error instanceof ControlError) throw error;
        log.error({ err: error, method: name }, 'a control method failed');
        const known = systemFailure(error);
        if (known !== null) throw new ControlError('refused', known.message);
        throw new ControlError('internal_error', t('api.control.internal'));
      }
    },
  };
}

function invalidInputText(field: string, issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return t('api.control.inputInvalid');
  const problem = issue.message;
  return field === '' ? t('api.control.input', { problem }) : t('api.control.inputField', { field, problem });
}

function isMethod(name: string): name is MethodName {
  return Object.hasOwn(contract, name);
}

function refusal(may: readonly Caller[]): string {
  return may.includes('owner')
    ? t('api.control.notSetUp', { command: larderCommand() })
    : t('api.control.alreadySetUp');
}
