import type { Input } from '../../server/control/contract/contract.ts';
import { t } from '../messages/messages.ts';

/** In order. */
export const STEPS = ['folder', 'you', 'address', 'apps', 'done'] as const;
export type Step = (typeof STEPS)[number];

/** All input so far; it is sent to the server with the last step only. */
export interface Answers {
  readonly name: string;
  readonly owner: string;
  readonly password: string;
  readonly repeat: string;
  readonly hasFiles: boolean;
  readonly homeFolder: string;
  readonly householdName: string;
  /** For HTTPS; null for the present one. */
  readonly port: string | null;
  readonly enableApi: boolean;
}

export const NO_ANSWERS: Answers = {
  ...{ name: '', owner: '', password: '', repeat: '', hasFiles: false, homeFolder: '' },
  ...{ householdName: '', port: null, enableApi: true },
};

/** The fields of each step, from top to bottom. The names are those of the contract. */
export const FIELDS = {
  you: ['name', 'owner', 'password', 'repeat', 'homeFolder'],
  address: ['householdName', 'port'],
  apps: [],
} as const;
export type AskingStep = keyof typeof FIELDS;
export type Field = (typeof FIELDS)[AskingStep][number];
export type Problems = Partial<Record<Field, string>>;

const ASKING = ['you', 'address', 'apps'] as const satisfies readonly AskingStep[];

/** Missing or invalid input, as far as it can be checked here. */
export function problemsOf(answers: Answers): Problems {
  const isEmpty = (field: 'name' | 'owner' | 'password' | 'repeat' | 'homeFolder') => answers[field].trim() === '';
  const problems: Problems = {};
  for (const field of ['name', 'owner', 'password', 'repeat'] as const) {
    if (isEmpty(field)) problems[field] = t(`firstRun.you.needed.${field}`);
  }
  if (!isEmpty('repeat') && answers.password !== answers.repeat) problems.repeat = t('firstRun.you.differ');
  if (answers.hasFiles && isEmpty('homeFolder')) problems.homeFolder = t('firstRun.you.needed.homeFolder');
  if (answers.port !== null && !isPort(answers.port)) problems.port = t('firstRun.address.portWrong');
  return problems;
}

export function isPort(typed: string): boolean {
  return /^\d{1,5}$/.test(typed.trim()) && Number(typed) >= 1 && Number(typed) <= 65_535;
}

/** Those of one step. */
export function problemsIn(step: AskingStep, problems: Problems): Problems {
  const mine: readonly string[] = FIELDS[step];
  return Object.fromEntries(Object.entries(problems).filter(([field]) => mine.includes(field)));
}

/** The first step with a problem. */
export function stepWith(problems: Problems): AskingStep | undefined {
  return ASKING.find((step) => Object.keys(problemsIn(step, problems)).length > 0);
}

export function isField(name: string | undefined): name is Field {
  return ASKING.some((step) => FIELDS[step].some((field) => field === name));
}

/** @returns null before the first and after the last */
export function neighbourOf(step: Step, by: -1 | 1): Step | null {
  return STEPS[STEPS.indexOf(step) + by] ?? null;
}

export function setupOf({ name, owner, password, enableApi, ...answers }: Answers): Input<'setup'> {
  return {
    ...{ name, owner, password, enableApi },
    ...(answers.householdName.trim() === '' ? {} : { householdName: answers.householdName }),
    ...(answers.hasFiles ? { homeFolder: answers.homeFolder.trim() } : {}),
  };
}

/** What the server checks of the answers so far: empty fields are asked for on *Next*. */
export function givenOf(answers: Answers): Input<'setup.check'> {
  const filled = Object.entries(setupOf(answers)).filter(
    ([, value]) => typeof value === 'string' && value.trim() !== '',
  );
  return Object.fromEntries(filled);
}

/** Of this tab: answers survive a reload. */
const STORE = 'larder-first-run';

/** Passwords are never stored. */
function withoutSecrets(answers: Answers): Answers {
  return { ...answers, password: '', repeat: '' };
}

/** The answers given before a reload. */
export function storedAnswers(): Answers {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(STORE) ?? '{}');
    const known = Object.entries(stored ?? {}).filter(
      ([name, value]) => Object.hasOwn(NO_ANSWERS, name) && typeof value === typeof NO_ANSWERS[name as keyof Answers],
    );
    return withoutSecrets({ ...NO_ANSWERS, ...Object.fromEntries(known) });
  } catch {
    // Not ours, or not allowed: the questions are asked again.
    return NO_ANSWERS;
  }
}

export function storeAnswers(answers: Answers): void {
  try {
    const stored = JSON.stringify(withoutSecrets(answers));
    if (stored === JSON.stringify(NO_ANSWERS)) sessionStorage.removeItem(STORE);
    else sessionStorage.setItem(STORE, stored);
  } catch {
    // Storage can be switched off.
  }
}
