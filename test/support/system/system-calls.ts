import { spawnSync } from 'node:child_process';

/** One system call of a trace. Positions are line numbers: a call begins at one line and returns at the same or a later one. */
export interface SystemCall {
  readonly name: string;
  /** As strace writes them, descriptors with their paths. */
  readonly args: string;
  readonly succeeded: boolean;
  readonly begun: number;
  readonly returned: number;
}

const TRACED = [
  'fsync,fdatasync,link,linkat,rename,renameat,renameat2,mkdir,mkdirat',
  'write,writev,sendmsg,sendto,pwrite64,pwritev,statx,lstat,newfstatat',
].join();

/** A command that runs another one and writes its system calls into a file. */
export const tracing = (file: string): string[] => [
  'strace',
  '-f',
  '-yy',
  '-s',
  '256',
  '-e',
  `trace=${TRACED}`,
  '-o',
  file,
];

/** Whether this machine has strace and permits tracing. */
export function canTrace(): boolean {
  return process.platform === 'linux' && spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0;
}

/** Parses the output of `strace -f -o`. A call interrupted by another thread is on two lines. */
export function parseTrace(text: string): SystemCall[] {
  const calls: SystemCall[] = [];
  const open = new Map<string, { name: string; args: string; begun: number }>();
  for (const [line, content] of text.split('\n').entries()) {
    const [, thread = '', rest = ''] = /^(\d+) +(.*)$/.exec(content) ?? [];
    const [, begunName, begunArgs = ''] = /^(\w+)\((.*) <unfinished \.\.\.>$/.exec(rest) ?? [];
    if (begunName !== undefined) {
      open.set(thread, { name: begunName, args: begunArgs, begun: line });
      continue;
    }
    const [, resumedName, resumedRest = ''] = /^<\.\.\. (\w+) resumed>(.*)$/.exec(rest) ?? [];
    const before = open.get(thread);
    const whole = resumedName === undefined ? rest : `${resumedName}(${before?.args ?? ''}${resumedRest}`;
    const [, name, args = '', result = ''] = /^(\w+)\((.*)\) += (-?\d+|\?)/.exec(whole) ?? [];
    if (name === undefined) continue;
    if (resumedName !== undefined) open.delete(thread);
    const begun = resumedName === undefined ? line : (before?.begun ?? line);
    calls.push({ name, args, succeeded: /^\d/.test(result), begun, returned: line });
  }
  return calls.sort((a, b) => a.begun - b.begun);
}

/** A required call, as text and as a pattern. */
export interface Wanted {
  readonly what: string;
  readonly name: RegExp;
  readonly args: RegExp;
}

/**
 * The system calls an operation must make before it replies. The steps are sequential: calls of one step begin only when those of
 * the previous step have returned. Calls within a step may have any order.
 */
export interface Order {
  readonly steps: readonly (readonly Wanted[])[];
  /** The first change on the disk: everything sent to the client after it is the reply. */
  readonly change: Wanted;
}

const isAnswer = ({ name, args }: SystemCall) =>
  /^(?:write|writev|sendmsg|sendto)$/.test(name) && /^\d+<(?:TCP|socket)/.test(args);

/** @returns the violations of one operation, one sentence each */
export function violations(calls: readonly SystemCall[], { steps, change }: Order): string[] {
  const matches = ({ name, args, succeeded }: SystemCall, wanted: Wanted) =>
    succeeded && wanted.name.test(name) && wanted.args.test(args);
  const changed = calls.find((call) => matches(call, change));
  if (changed === undefined) return [`there is no ${change.what}`];
  const answer = calls.find((call) => isAnswer(call) && call.begun > changed.begun);
  if (answer === undefined) return ['there is no answer'];
  const wrong: string[] = [];
  let before = -1;
  for (const step of steps) {
    let last = before;
    for (const wanted of step) {
      const found = calls.find((call) => matches(call, wanted) && call.begun > before);
      if (found === undefined) wrong.push(`there is no ${wanted.what} where it belongs`);
      else if (found.returned > answer.begun) wrong.push(`the answer does not wait for: ${wanted.what}`);
      last = Math.max(last, found?.returned ?? last);
    }
    before = last;
  }
  return wrong;
}
