import type { Input, Output } from '../../../server/control/contract/contract.ts';

/** A person as lists have them. */
export type Person = Output<'accounts.list'>['accounts'][number];

/** A person in full. */
export type Account = Output<'accounts.get'>;

export type AccountQuery = Omit<Input<'accounts.list'>, 'start' | 'limit'>;

/** The account that set the installation up: it cannot be removed, and nothing is forbidden to it. */
export const OWNER_ID = 1;

export const fullName = ({ name, lastName }: Pick<Person, 'name' | 'lastName'>) => `${name} ${lastName}`.trim();

/** Which people a list is of. */
export type Kind = 'users' | 'guests' | 'administrators';
