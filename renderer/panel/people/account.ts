import type { Input, Output } from '../../../server/control/contract/contract.ts';

/** A person in a list. */
export type Person = Output<'accounts.list'>['accounts'][number];

/** All details of a person. */
export type Account = Output<'accounts.get'>;

export type AccountQuery = Omit<Input<'accounts.list'>, 'start' | 'limit'>;

/** The owner's account: it cannot be deleted or restricted. */
export const OWNER_ID = 1;

export const fullName = ({ name, lastName }: Pick<Person, 'name' | 'lastName'>) => `${name} ${lastName}`.trim();

/** The kinds of lists. */
export type Kind = 'users' | 'guests' | 'administrators';
