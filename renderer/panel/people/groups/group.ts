import type { Output } from '../../../../server/control/contract/contract.ts';

export type Group = Output<'groups.list'>['groups'][number];
export type Role = Output<'roles.list'>['roles'][number];
