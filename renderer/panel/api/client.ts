import type { Output } from '../../../server/control/contract/contract.ts';

/** A client as the list has it. */
export type Client = Output<'clients.list'>['clients'][number];
