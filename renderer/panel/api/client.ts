import type { Output } from '../../../server/control/contract/contract.ts';

/** A client in the list. */
export type Client = Output<'clients.list'>['clients'][number];
