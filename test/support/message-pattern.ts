import { IntlMessageFormat } from 'intl-messageformat';

type Elements = ReturnType<IntlMessageFormat['getAst']>;
export type Values = Readonly<Record<string, string | number>>;

const NUMBER = 2;
const SELECT = 5;
const PLURAL = 6;
const POUND = 7;

/** A pattern for a message with unknown arguments. @param known the arguments that are known */
export function patternOf(message: string, known: Values = {}): RegExp {
  const elements = new IntlMessageFormat(message, 'en-GB', undefined, { ignoreTag: true }).getAst();
  return new RegExp(sourceOf(elements, known));
}

function sourceOf(elements: Elements, known: Values, count?: number): string {
  return elements
    .map((element) => {
      switch (element.type as number) {
        case POUND:
          return count === undefined ? '[\\d,]+' : escaped(count);
        case PLURAL:
        case SELECT: {
          const { value: name, options } = element as Extract<Elements[number], { options: object }>;
          const value = known[name];
          const branch = value === undefined ? undefined : branchOf(options, value);
          const branches = branch === undefined ? Object.values(options) : [branch];
          const number = typeof value === 'number' ? value : undefined;
          return `(?:${branches.map((one) => sourceOf(one.value, known, number)).join('|')})`;
        }
        case 0:
          return escaped((element as { value: string }).value);
        default: {
          const value = known[(element as { value: string }).value];
          if (value !== undefined) return escaped(value);
          return (element.type as number) === NUMBER ? '[\\d,]+' : '.+?';
        }
      }
    })
    .join('');
}

function branchOf<Branch>(options: Readonly<Record<string, Branch>>, value: string | number): Branch | undefined {
  if (typeof value === 'string') return options[value] ?? options.other;
  return options[`=${value}`] ?? options[new Intl.PluralRules('en-GB').select(value)] ?? options.other;
}

function escaped(value: string | number): string {
  const text = typeof value === 'number' ? value.toLocaleString('en-GB') : value;
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
