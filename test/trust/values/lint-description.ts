import { createConfig, lintFromString } from '@redocly/openapi-core';
import type { ApiClient } from '../../support/requests/api-client.ts';

/** Holds the description that a running server gives against all rules of Redocly's strict set, its problems in words. */
export async function lintDescription(api: ApiClient): Promise<{ rules: number; problems: string[] }> {
  const { text } = await api.send('GET', '/api.php/openapi.json');
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config });
  const rules = Object.values(config.rules.oas3_1).filter((rule) => rule !== 'off').length;
  return {
    rules,
    problems: problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`),
  };
}
