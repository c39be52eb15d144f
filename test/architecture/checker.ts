import { dirname, join } from 'node:path/posix';

export interface SourceFile {
  /** From the root of the repository, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** Which files may import a package, and why. A place is a file, or a folder with a trailing slash. */
export interface PackageRule {
  readonly packages: readonly string[];
  readonly places: readonly string[];
  readonly why: string;
}

/** Files that may be imported from elsewhere in the repository. */
export interface Share {
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly why: string;
}

/** A violation reported by `findViolations` that is still tolerated; the check fails once it is no longer needed. */
export interface Exception {
  readonly violation: string;
  readonly why: string;
}

export interface Rules {
  /** The layers of each folder, lowest first: the names of their folders or files. */
  readonly layers: Readonly<Record<string, readonly (readonly string[])[]>>;
  /** What one folder of the repository may import from another; places as in `packageRules`. */
  readonly shared: readonly Share[];
  /** Code that uses compiled files in `dist/`. */
  readonly builders: readonly string[];
  readonly maxLines: number;
  readonly packageRules: readonly PackageRule[];
  readonly environment: readonly string[];
  readonly exceptions: readonly Exception[];
}

const CONTRACT = 'server/control/contract/';

/** All violations, one per line, in the order of the paths. */
export function findViolations(files: readonly SourceFile[], rules: Rules): string[] {
  const known = new Set(files.map(({ path }) => path));
  const edges = new Map<string, string[]>();
  const found: string[] = [];
  for (const { path, text } of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const say = (violation: string) => found.push(`${path}: ${violation}`);
    const lines = text.trimEnd().split('\n').length;
    if (lines > rules.maxLines) say(`has ${lines} lines, ${rules.maxLines} at most`);
    if (floorsOf(path, rules) !== null && floorOf(path, rules) === -1)
      say('stands on no layer: add its folder to the table');
    const code = withoutComments(text);
    if (/\bimport\(\s*[^'"\s]/.test(code)) say('imports a module whose name cannot be read');
    if (readsEnvironment(code) && !isIn(path, rules.environment)) say('reads the environment');
    const targets: string[] = [];
    for (const name of new Set(importsOf(code))) {
      // Styles and drawings: the build of the panel fails if they are missing.
      if (/^\.{1,2}\/.*\.(?:css|svg)$/.test(name)) continue;
      // The bundled programs, which the launcher starts.
      if (path === 'server/larder.cts' && name.startsWith('../bundle/')) continue;
      if (!name.startsWith('.')) {
        const refusal = refusePackage(path, name, rules);
        if (refusal !== null) say(refusal);
        continue;
      }
      const target = resolveIn(known, path, name);
      if (target === null && isIn(path, rules.builders) && join(dirname(path), name).startsWith('dist/')) continue;
      if (target === null) {
        say(`imports ${name}, which is no file of ours`);
        continue;
      }
      targets.push(target);
      const refusal = refuseFile(path, target, rules);
      if (refusal !== null) say(refusal);
    }
    edges.set(path, targets);
  }
  found.push(...findCycles(edges));
  const excused = new Set(rules.exceptions.map(({ violation }) => violation));
  const unused = [...excused].filter((violation) => !found.includes(violation));
  return [
    ...found.filter((violation) => !excused.has(violation)),
    ...unused.map((violation) => `no longer needed, remove this exception: ${violation}`),
  ];
}

/** Static and dynamic imports, re-exports and `require`, of types too. */
export function importsOf(code: string): string[] {
  const forms = [
    /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*(['"])(.+?)\1/gm,
    /^\s*import\s*(['"])(.+?)\1/gm,
    /\b(?:import|require|require\.resolve)\(\s*(['"])(.+?)\1/g,
    /\bcreateRequire\([^)]*\)\(\s*(['"])(.+?)\1/g,
  ];
  return forms.flatMap((form) => [...code.matchAll(form)].map((match) => match[2] ?? ''));
}

function withoutComments(text: string): string {
  return text.replace(/^\s*\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}

function readsEnvironment(code: string): boolean {
  return /\bprocess\s*(?:\?*\.\s*|\[\s*['"])env\b|\{[^{}]*\benv\b[^{}]*\}\s*=\s*process\b/.test(code);
}

/** The folder at the top of the repository, with a slash at its end. */
function areaOf(path: string): string {
  return path.slice(0, path.indexOf('/') + 1);
}

/** The folder or file right below that. */
function unitOf(path: string): string {
  return path.split('/')[1] ?? '';
}

function floorsOf(path: string, { layers }: Rules): readonly (readonly string[])[] | null {
  return layers[areaOf(path)] ?? null;
}

function floorOf(path: string, rules: Rules): number {
  return floorsOf(path, rules)?.findIndex((units) => units.includes(unitOf(path))) ?? -1;
}

function isIn(path: string, places: readonly string[]): boolean {
  return places.some((place) => path === place || (place.endsWith('/') && path.startsWith(place)));
}

function refusePackage(path: string, name: string, { packageRules }: Rules): string | null {
  if (path.startsWith(CONTRACT)) return name === 'zod' ? null : `imports ${name}, but the contract imports only zod`;
  const rule = packageRules.find(({ packages }) => packages.some((one) => name === one || name.startsWith(`${one}/`)));
  if (rule === undefined) {
    return name.startsWith('node:') ? null : `imports ${name}, which no rule names: add it to the table`;
  }
  return isIn(path, rule.places) ? null : `imports ${name}, which it may not (${rule.why})`;
}

function refuseFile(path: string, target: string, rules: Rules): string | null {
  if (path.startsWith(CONTRACT)) {
    return target.startsWith(CONTRACT) ? null : `imports ${target}, but the contract imports only zod`;
  }
  if (areaOf(path) !== areaOf(target)) {
    const isShared = rules.shared.some(({ from, to }) => isIn(path, from) && isIn(target, to));
    return isShared ? null : `imports ${target}, which ${areaOf(target)} does not share with it`;
  }
  if (floorsOf(path, rules) === null || unitOf(path) === unitOf(target)) return null;
  const [own, other] = [floorOf(path, rules), floorOf(target, rules)];
  if (own === -1 || other === -1 || other < own) return null;
  return `imports ${target}, on ${own === other ? 'its own' : 'a higher'} layer`;
}

/** As found at run time: `./x.js` is compiled from `./x.ts`. */
function resolveIn(known: ReadonlySet<string>, from: string, name: string): string | null {
  const path = join(dirname(from), name);
  const source = (end: string, other: string) => (path.endsWith(end) ? path.slice(0, -end.length) + other : path);
  const candidates = [path, source('.js', '.ts'), source('.js', '.tsx'), source('.cjs', '.cts')];
  return candidates.find((candidate) => known.has(candidate)) ?? null;
}

/** One line for each import that closes a cycle. */
function findCycles(edges: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const way: string[] = [];
  function visit(path: string): void {
    const start = way.indexOf(path);
    if (start !== -1) {
      found.push(`cycle: ${[...way.slice(start), path].join(' → ')}`);
      return;
    }
    if (done.has(path)) return;
    way.push(path);
    for (const target of edges.get(path) ?? []) visit(target);
    way.pop();
    done.add(path);
  }
  for (const path of edges.keys()) visit(path);
  return found;
}
