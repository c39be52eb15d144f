import { dirname, join } from 'node:path/posix';

export interface SourceFile {
  /** From the root of the repository, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** Who may import a package; `why` stands for whoever wonders. A place is a file, or a folder with a slash at its end. */
export interface Door {
  readonly packages: readonly string[];
  readonly places: readonly string[];
  readonly why: string;
}

/** A line that `findViolations` would say, and that has to go; the check fails once nothing needs it. */
export interface Exception {
  readonly violation: string;
  readonly why: string;
}

export interface Rules {
  /** From the ground up: what stands on one floor, by the name of its folder or file in `server/`. */
  readonly floors: readonly (readonly string[])[];
  readonly maxLines: number;
  readonly doors: readonly Door[];
  readonly environment: readonly string[];
  readonly exceptions: readonly Exception[];
}

const SERVER = 'server/';
const CONTRACT = 'server/control/contract/';

/** Everything that breaks a rule, a line each, in the order of the paths; empty when the house stands. */
export function findViolations(files: readonly SourceFile[], rules: Rules): string[] {
  const known = new Set(files.map(({ path }) => path));
  const edges = new Map<string, string[]>();
  const found: string[] = [];
  for (const { path, text } of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const say = (violation: string) => found.push(`${path}: ${violation}`);
    const lines = text.trimEnd().split('\n').length;
    if (lines > rules.maxLines) say(`has ${lines} lines, ${rules.maxLines} at most`);
    if (path.startsWith(SERVER) && floorOf(path, rules) === -1) say('stands on no floor: add its folder to the table');
    const code = withoutComments(text);
    if (/\bimport\(\s*[^'"\s]/.test(code)) say('imports a module whose name cannot be read');
    if (readsEnvironment(code) && !isIn(path, rules.environment)) say('reads the environment');
    const targets: string[] = [];
    for (const name of new Set(importsOf(code))) {
      // Styles and drawings: the build of the panel fails where there are none.
      if (/^\.{1,2}\/.*\.(?:css|svg)$/.test(name)) continue;
      // The bundled programs, which the launcher starts.
      if (path === 'server/larder.cts' && name.startsWith('../bundle/')) continue;
      if (!name.startsWith('.')) {
        const refusal = refusePackage(path, name, rules);
        if (refusal !== null) say(refusal);
        continue;
      }
      const target = resolveIn(known, path, name);
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

/** The folder or file right below `server/`. */
function unitOf(path: string): string {
  return path.slice(SERVER.length).split('/')[0] ?? '';
}

function floorOf(path: string, { floors }: Rules): number {
  return floors.findIndex((units) => units.includes(unitOf(path)));
}

function isIn(path: string, places: readonly string[]): boolean {
  return places.some((place) => path === place || (place.endsWith('/') && path.startsWith(place)));
}

function refusePackage(path: string, name: string, { doors }: Rules): string | null {
  if (path.startsWith(CONTRACT)) return name === 'zod' ? null : `imports ${name}, but the contract imports only zod`;
  const door = doors.find(({ packages }) => packages.some((one) => name === one || name.startsWith(`${one}/`)));
  if (door === undefined) {
    return name.startsWith('node:') ? null : `imports ${name}, which has no door: add it to the table`;
  }
  return isIn(path, door.places) ? null : `imports ${name}, which is not its door (${door.why})`;
}

function refuseFile(path: string, target: string, rules: Rules): string | null {
  if (path.startsWith(CONTRACT)) {
    return target.startsWith(CONTRACT) ? null : `imports ${target}, but the contract imports only zod`;
  }
  const area = (one: string) => one.slice(0, one.indexOf('/') + 1);
  if (area(path) !== area(target)) {
    return target.startsWith(CONTRACT) && !path.startsWith(SERVER)
      ? null
      : `imports ${target}: only the control contract is shared between ${area(path)} and ${area(target)}`;
  }
  if (!path.startsWith(SERVER) || unitOf(path) === unitOf(target)) return null;
  const [own, other] = [floorOf(path, rules), floorOf(target, rules)];
  if (own === -1 || other === -1 || other < own) return null;
  return `imports ${target}, on ${own === other ? 'its own' : 'a higher'} floor`;
}

/** As it will be found at run time: `./x.js` is compiled from `./x.ts`. */
function resolveIn(known: ReadonlySet<string>, from: string, name: string): string | null {
  const path = join(dirname(from), name);
  const source = (end: string, other: string) => (path.endsWith(end) ? path.slice(0, -end.length) + other : path);
  const candidates = [path, source('.js', '.ts'), source('.js', '.tsx'), source('.cjs', '.cts')];
  return candidates.find((candidate) => known.has(candidate)) ?? null;
}

/** One line for each import that leads back to where the way began. */
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
