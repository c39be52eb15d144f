import { Validator } from '@seriousme/openapi-schema-validator';

/** Validates a document against the JSON Schema of its OpenAPI version. */
export async function validate(document: object): Promise<{ valid: boolean; errors: unknown }> {
  const { valid, errors } = await new Validator().validate(structuredClone(document) as never);
  return { valid, errors };
}
