import type { Accounts } from '../../accounts/accounts.ts';
import type { Database } from '../../database/database.ts';
import {
  type FieldDefinition,
  readDefinitions,
  type SetDefinition,
  type TypeDefinition,
} from '../../fields/definitions.ts';
import type { EditDefinitions } from '../../fields/edit-definitions.ts';
import type { Origin } from '../../lib/events.ts';
import type { metadataMethods } from '../contract/metadata.ts';
import type { Handlers } from '../dispatcher.ts';
import { ownerActor } from '../owner-actor.ts';
import { toControlError } from './to-control-error.ts';

export type MetadataHandlers = Pick<Handlers, keyof typeof metadataMethods>;

interface MetadataHandlerParts {
  readonly database: Pick<Database, 'all'>;
  readonly accounts: Accounts;
  readonly editing: EditDefinitions;
}

/** The owner's operations on file types, field sets and fields. */
export function metadataHandlers({ database, accounts, editing }: MetadataHandlerParts): MetadataHandlers {
  const owner = (origin: Origin) => ownerActor(accounts, origin);
  const definitions = () => readDefinitions(database);
  const type = async (id: number) => typeView(written((await definitions()).types.find((one) => one.id === id)));
  const set = async (id: number) => setView(written((await definitions()).sets.find((one) => one.id === id)));
  const field = async (id: number) => fieldView(written((await definitions()).fields.get(id)));

  return {
    'metadata.list': async () => {
      const { types, sets } = await definitions();
      return { types: types.map(typeView), sets: sets.map(setView) };
    },

    'metadata.types.add': (given, origin) =>
      toControlError(async () => type(await editing.addType(given, await owner(origin)))),
    'metadata.types.update': ({ id, ...changes }, origin) =>
      toControlError(async () => {
        await editing.updateType(id, sent(changes), await owner(origin));
        return type(id);
      }),
    'metadata.types.remove': ({ id }, origin) =>
      toControlError(async () => {
        await editing.removeType(id, await owner(origin));
        return { id };
      }),

    'metadata.sets.add': (given, origin) =>
      toControlError(async () => set(await editing.addSet(given, await owner(origin)))),
    'metadata.sets.update': ({ id, ...changes }, origin) =>
      toControlError(async () => {
        await editing.updateSet(id, changes, await owner(origin));
        return set(id);
      }),
    'metadata.sets.remove': ({ id }, origin) => toControlError(async () => editing.removeSet(id, await owner(origin))),

    'metadata.fields.add': (given, origin) =>
      toControlError(async () => field(await editing.addField(given, await owner(origin)))),
    'metadata.fields.update': ({ id, ...changes }, origin) =>
      toControlError(async () => {
        await editing.updateField(id, sent(changes), await owner(origin));
        return field(id);
      }),
    'metadata.fields.remove': ({ id }, origin) =>
      toControlError(async () => {
        const { values } = await editing.removeField(id, await owner(origin));
        return { id, values };
      }),
  };
}

/** The object without undefined properties. */
function sent<Given extends object>(given: Given): { [Key in keyof Given]: Exclude<Given[Key], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Given]: Exclude<Given[Key], undefined>;
  };
}

function written<T>(one: T | undefined): T {
  if (one === undefined) throw new Error('what was just written is not there');
  return one;
}

function typeView({ id, name, system, extensions, setIds }: TypeDefinition) {
  return { id, name, system: system !== null, extensions: [...extensions], setIds: [...setIds] };
}

function setView({ id, name, system, fields }: SetDefinition) {
  return { id, name, system: system !== null, fields: fields.map(fieldView) };
}

function fieldView({ id, name, kind, options, system }: FieldDefinition) {
  return { id, name, kind, options: [...options], system: system !== null };
}
