import { ZodError } from 'zod';
import { type Accounts, OWNER_ID } from '../accounts/accounts.ts';
import type { Activity } from '../activity/activity.ts';
import { isoSeconds } from '../lib/datetime.ts';
import { actorOf, CONTROL, type Events } from '../lib/events.ts';
import { FieldProblem } from '../lib/field-problem.ts';
import type { ClientRecord, Clients } from '../oauth/clients.ts';
import type { Settings } from '../settings/settings.ts';
import type { CheckedInput, Output } from './contract/contract.ts';
import { ControlError, type Handlers } from './dispatcher.ts';
import type { Setup } from './setup.ts';

export interface HandlerParts {
  readonly accounts: Accounts;
  readonly activity: Activity;
  readonly events: Events;
  readonly clients: Clients;
  readonly settings: Settings;
  readonly setup: Setup;
  readonly status: () => Promise<Output<'status'>>;
  readonly doctor: (input: CheckedInput<'doctor'>) => Promise<Output<'doctor'>>;
  readonly panelLink: () => Promise<Output<'panel.link'>>;
}

export function controlHandlers({
  accounts,
  activity,
  events,
  clients,
  settings,
  setup,
  status,
  doctor,
  panelLink,
}: HandlerParts): Handlers {
  /** Whoever holds the folder or the control token is the owner. */
  const owner = async () => actorOf(CONTROL, await accounts.byId(OWNER_ID));

  return {
    status,
    doctor: async (input) => {
      const report = await doctor(input);
      if (report.repaired !== undefined) {
        const { repaired, problems } = report;
        events.emit('doctor.repaired', {
          actor: await owner(),
          repaired: repaired.length,
          problems: problems.length,
        });
      }
      return report;
    },
    'panel.link': panelLink,
    setup: (input) => saying(() => setup(input)),
    'settings.get': async () => settings.values,
    'settings.update': (changes) =>
      saying(async () => {
        const given = Object.entries(changes).filter(([, value]) => value !== undefined);
        await settings.update(Object.fromEntries(given), await owner());
        return settings.values;
      }),
    'clients.list': async () => ({ clients: (await clients.list()).map(clientView) }),
    'clients.add': (input) =>
      saying(async () => {
        const { client, secret } = await clients.add(input, await owner());
        const { clientId, ...view } = clientView(client);
        return { clientId, clientSecret: secret, ...view };
      }),
    'clients.remove': async ({ clientId }) => {
      if ((await clients.remove(clientId, await owner())) === null)
        throw new ControlError('refused', 'There is no such client.', 'clientId');
      return { clientId };
    },
    'accounts.activate': async ({ username }) => {
      if (!(await accounts.activate(username, await owner())))
        throw new ControlError('refused', 'There is no such account.', 'username');
      return { username, activated: true as const };
    },
    'activity.list': async ({ since, until, ...query }) => {
      const page = await activity.list({ ...query, since: timeOf(since), until: timeOf(until) });
      return { ...page, entries: page.entries.map((entry) => ({ ...entry, at: isoSeconds(entry.at) })) };
    },
  };
}

function clientView(client: ClientRecord) {
  return {
    clientId: client.clientId,
    name: client.name,
    public: client.secretHash === null,
    redirectUris: client.redirectUris,
    createdAt: isoSeconds(client.createdAt),
  };
}

function timeOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}

/** A value that a domain refuses becomes an answer that names it. */
async function saying<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FieldProblem) {
      throw new ControlError('invalid_input', error.message, error.field);
    }
    if (error instanceof ZodError) {
      const issue = error.issues[0];
      throw new ControlError('invalid_input', `"${issue?.path.join('.')}": ${issue?.message}`, issue?.path.join('.'));
    }
    throw error;
  }
}
