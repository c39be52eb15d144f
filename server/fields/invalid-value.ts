import { ApiError } from '../http/errors.ts';
import { t } from '../messages/messages.ts';

/** What is wrong with a value, for pages, which name the field and not the parameter. */
export interface ValueFault {
  readonly kind: keyof typeof FAULTS;
  /** The most characters or entries. */
  readonly max?: number;
}

const FAULTS = {
  empty: (parameter: string) => t('api.parameters.empty', { parameter }),
  emptyEntry: (parameter: string) => t('api.metadata.emptyEntry', { parameter }),
  tooLong: (parameter: string, max: number) => t('api.parameters.tooLong', { parameter, max }),
  tooMany: (_parameter: string, max: number) => t('api.metadata.tooManyTags', { max }),
  characters: (parameter: string) => t('api.parameters.characters', { parameter }),
  color: (parameter: string) => t('api.metadata.color', { parameter }),
  single: (parameter: string) => t('api.values.single', { parameter }),
  number: (parameter: string) => t('api.values.number', { parameter }),
  date: (parameter: string) => t('api.values.date', { parameter }),
  stars: (parameter: string, max: number) => t('api.parameters.range', { parameter, min: 0, max }),
  option: (parameter: string) => t('api.values.option', { parameter }),
  unknownField: (parameter: string) => t('api.metadata.unknownField', { parameter }),
  otherKind: (parameter: string) => t('api.metadata.otherKind', { parameter }),
  readOnlyField: (parameter: string) => t('api.metadata.readOnlyField', { parameter }),
};

/** A comment, a tag or another value that people type, which is not as it has to be. */
export class InvalidValue extends ApiError {
  readonly fault: ValueFault;

  constructor(parameter: string, fault: ValueFault) {
    super('invalid_parameter', FAULTS[fault.kind](parameter, fault.max ?? 0), { details: { parameter } });
    this.fault = fault;
  }
}
