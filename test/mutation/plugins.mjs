import { readFileSync } from 'node:fs';

/** The wording of messages is not mutated; their codes, details and presence are. */
const MESSAGE_AT = { ApiError: 1, Error: 0, ScopeGuard: 0 };

function isMessage(path) {
  const { node, parent } = path;
  if (!['StringLiteral', 'TemplateLiteral', 'ConditionalExpression'].includes(node.type)) return false;
  if (parent.type === 'NewExpression') {
    const at = MESSAGE_AT[parent.callee.name];
    return at !== undefined && parent.arguments[at] === node;
  }
  return isLogCall(parent);
}

function isLogCall({ type, callee }) {
  if (type !== 'CallExpression' || callee.type !== 'MemberExpression') return false;
  const { object, property } = callee;
  return ['error', 'warn', 'info'].includes(property.name) && (object.name ?? object.property?.name) === 'log';
}

/** Selects the mutants of the sample; a source range also contains others. */
class SampleChecker {
  static inject = [];
  #wanted = new Set();

  async init() {
    this.#wanted = new Set(JSON.parse(readFileSync(process.env.LARDER_MUTATION_SAMPLE, 'utf8')));
  }

  async check(mutants) {
    const verdict = (mutant) =>
      this.#wanted.has(mutantKey(mutant))
        ? { status: 'passed' }
        : { status: 'compileError', reason: 'not in the sample' };
    return Object.fromEntries(mutants.map((mutant) => [mutant.id, verdict(mutant)]));
  }

  group(mutants) {
    return [mutants.map(({ id }) => id)];
  }
}

/** Identifies a mutant, because ids differ from run to run. */
export function mutantKey({ fileName, location: { start, end }, mutatorName, replacement }) {
  const file = fileName.replaceAll('\\', '/').replace(/^.*\/(?=server\/)/, '');
  return [file, start.line, start.column, end.line, end.column, mutatorName, replacement].join(':');
}

export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'messages',
    value: { shouldIgnore: (path) => (isMessage(path) ? 'the wording of a message' : undefined) },
  },
  { kind: 'Checker', name: 'sample', injectableClass: SampleChecker },
];
