import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { expect } from 'vitest';
import type { ApiClient, Reply } from './api-client.ts';

const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;

interface Description {
  paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
}

const descriptions = new Map<string, Promise<Description>>();

/**
 * Validates a reply of an API operation against the server's own OpenAPI description: the status must be declared, and a JSON
 * body must match its schema completely.
 */
export async function checkReply(api: ApiClient, method: string, path: string, reply: Reply): Promise<void> {
  const operation = /^\/api\.php((?:\/[a-z-]+){2,3})\/?(?:\?|$)/.exec(path)?.[1];
  if (operation === undefined) return;
  const description = await describeOnce(api);
  const declared = description.paths[operation]?.[method.toLowerCase()];
  const isJson = reply.headers['content-type']?.startsWith('application/json') ?? false;
  if (method === 'HEAD' || method === 'OPTIONS') return;
  const status = String(reply.status);
  if (reply.status >= 400 || declared === undefined) {
    expect(isJson, `${method} ${path} fails with JSON: ${reply.text.slice(0, 200)}`).toBe(true);
    assertFits(description, '#/components/schemas/Failure', reply.body, `${method} ${operation} ${status}`);
    return;
  }
  expect(Object.keys(declared.responses), `${method} ${operation} declares ${status}`).toContain(status);
  if (!isJson) return;
  const pointer = `#/paths/${operation.replaceAll('/', '~1')}/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`;
  assertFits(description, pointer, reply.body, `${method} ${operation} ${status}`);
}

const validators = new WeakMap<Description, Ajv2020>();

function assertFits(description: Description, pointer: string, body: unknown, what: string): void {
  let ajv = validators.get(description);
  if (ajv === undefined) {
    ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats(ajv);
    ajv.addSchema({ $id: 'larder:openapi', ...description }, 'larder:openapi');
    validators.set(description, ajv);
  }
  const validate = ajv.getSchema(`larder:openapi${pointer}`);
  if (validate === undefined) throw new Error(`no schema at ${pointer}`);
  expect(
    validate(body),
    `${what} fits its description: ${JSON.stringify(validate.errors)}\n${JSON.stringify(body)}`,
  ).toBe(true);
}

function describeOnce(api: ApiClient): Promise<Description> {
  let description = descriptions.get(api.base);
  if (description === undefined) {
    description = api.send('GET', '/api.php/openapi.json').then((reply) => reply.body as Description);
    descriptions.set(api.base, description);
    // A test may end its server meanwhile, and a later server gets the same port.
    description.catch(() => descriptions.delete(api.base));
  }
  return description;
}
