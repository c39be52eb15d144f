import express, { type Router } from 'express';
import { z } from 'zod';
import type { AccountCaller } from '../../../access/caller.ts';
import { InvalidValue } from '../../../fields/invalid-value.ts';
import { ApiError } from '../../../http/errors.ts';
import { checkParameters } from '../../../http/request/check-parameters.ts';
import { oneOf, virtualPath } from '../../../http/request/parameters.ts';
import type { RawParameters } from '../../../http/request/read-parameters.ts';
import { bidiIsolate } from '../../../lib/text/bidi-isolate.ts';
import { t } from '../../../messages/messages.ts';
import type { MetadataContext } from '../../../metadata/context.ts';
import { setMetadata } from '../../../metadata/set-fields.ts';
import { setLabel } from '../../../metadata/set-label.ts';
import { setRating } from '../../../metadata/set-rating.ts';
import { addTags, removeTags } from '../../../metadata/tags.ts';
import { listFormOf } from '../../shell/browser-session.ts';
import { sentenceOf } from '../actions.ts';
import { itemPage, pageOf } from '../listing/folder-view.ts';
import type { AsFiles } from '../sharing/routes.ts';

const FORM_ACTIONS = { rate: 'rated', tag: 'tagged', untag: 'tagged', label: 'labelled', fill: 'filled' } as const;
type FormAction = keyof typeof FORM_ACTIONS;

const requested = z.object({
  path: virtualPath(),
  from: virtualPath().optional(),
  do: oneOf(Object.keys(FORM_ACTIONS) as FormAction[]),
});

const FIELD = /^field-([1-9]\d{0,14})$/;

/** The metadata forms of a file or folder; they use the services of files/metadata. */
export function detailPages(context: MetadataContext, asFiles: AsFiles): Router {
  const router = express.Router({ caseSensitive: true });

  router.post(
    '/files/details',
    asFiles(async (request, response, pageRequest) => {
      const fields = await listFormOf(request, response, pageRequest.visitor);
      const { path, from, do: formAction } = checkParameters(requested, fields);
      const { at, list, query } = pageOf(path, from);
      try {
        await perform(context, pageRequest.caller, path, formAction, fields);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const details = { values: textsOf(fields), problem: await problemText(context, error) };
        return itemPage(response, { ...pageRequest, query }, { details, status: error.status });
      }
      response.redirect(303, `${pageRequest.links.item(at, list)}&done=${FORM_ACTIONS[formAction]}#details`);
    }),
  );

  return router;
}

async function perform(
  context: MetadataContext,
  caller: AccountCaller,
  path: readonly string[],
  formAction: FormAction,
  fields: RawParameters,
): Promise<void> {
  const { rating = '', tag = '', label = '', color = '' } = textsOf(fields);
  if (formAction === 'rate') return setRating(context, caller, path, /^[0-5]$/.test(rating) ? Number(rating) : null);
  if (formAction === 'tag') return addTags(context, caller, path, [tag]);
  if (formAction === 'untag') return removeTags(context, caller, path, [tag]);
  if (formAction === 'label') return setLabel(context, caller, path, label.trim() === '' ? '' : `${label}|${color}`);
  await setMetadata(context, caller, path, fieldsOf(fields));
}

/** The values as typed; a multiple choice has all selected options after an empty one, which means none. */
function fieldsOf(fields: RawParameters): Map<string, string[]> {
  return new Map(
    Object.entries(fields).flatMap(([name, value]) => {
      const id = FIELD.exec(name)?.[1];
      const texts = [value].flat().filter((one) => typeof one === 'string');
      return id === undefined ? [] : [[id, texts] as const];
    }),
  );
}

function textsOf(fields: RawParameters): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** API messages name a parameter first; people see the input. */
async function problemText({ definitions }: MetadataContext, error: ApiError): Promise<string> {
  if (!(error instanceof InvalidValue)) return sentenceOf(error);
  const { kind, max = 0 } = error.fault;
  const field = /fields\[(\d+)\]/.exec(String(error.details?.parameter))?.[1];
  if (field === undefined) return t('details.problems.mark', { kind, max });
  const name = (await definitions()).fields.get(Number(field))?.name ?? '';
  return t('details.problems.field', { kind, max, field: bidiIsolate(name) });
}
