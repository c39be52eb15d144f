import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { type FailAction, noFailPoints } from '../lib/process/fail-points.ts';
import { findProgram } from './find-program.ts';
import { isTestBuild } from './test-build.ts';

const port = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,5}$/, 'a port is a number from 0 to 65535')
      .transform(Number),
  ])
  .refine(
    (number) => Number.isInteger(number) && number >= 0 && number <= 65_535,
    'a port is a number from 0 to 65535',
  );

/** A path prefix such as `/files`; empty for none. */
const basePath = z
  .string()
  .transform((text) => text.replace(/\/+$/, ''))
  .refine((text) => text === '' || /^(?:\/[A-Za-z0-9._~-]+)+$/.test(text), 'a base path looks like /files');

const failPoints = z.string().transform((text) => {
  const [folder = '', ...entries] = text.split(';');
  const actions = entries.filter(Boolean).map((entry) => entry.split('=') as [string, FailAction]);
  return { folder, actions: Object.fromEntries(actions) };
});

/** Flags of the command line and `LARDER_*` variables are the same settings; a flag wins. */
const configSchema = z.object({
  folder: z
    .string()
    .min(1)
    .transform((text) => (isAbsolute(text) ? text : resolve(text)))
    .default(() => resolve('larder-data')),
  port: port.default(8443),
  httpPort: port.default(8080),
  controlPort: port.default(8444),
  /** The address to listen on; `::` is every one, including IPv4. */
  host: z.string().min(1).default('::'),
  /** Host names beside the machine's own, for the certificate. */
  name: z
    .union([
      z.string().transform((text) =>
        text
          .split(',')
          .map((name) => name.trim())
          .filter(Boolean),
      ),
      z.array(z.string()),
    ])
    .default([]),
  basePath: basePath.default(''),
  logLevel: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** Milliseconds for requests in progress at a stop. */
  grace: z.coerce.number().int().min(0).default(30_000),
  /** The program that extracts frames of videos: its path; empty for none. By default searched for. */
  ffmpeg: z
    .string()
    .transform((path) => path || null)
    .nullable()
    .default(null),
  /** Which build of the image library the workers use: `wasm` even if there is a native one. */
  images: z.enum(['native', 'wasm']).default('native'),
  /** Given in MiB, here in bytes: memory of all workers together; null: by the size of the machine. */
  workerMemory: z.coerce
    .number()
    .int()
    .min(256, 'at least 256 MiB')
    .transform((mebibytes) => mebibytes * 1024 * 1024)
    .nullable()
    .default(null),
  /** Which other users of this machine can access people's files; see `storage/homes/home-access.ts`. */
  homeAccess: z.enum(['owner', 'group', 'everyone']).default('owner'),
  /** For fault tests, and ignored in any other build: `<folder>;<point>=<action>;…` */
  failPoints: failPoints.default({ folder: '', actions: {} }),
});

export type Config = z.output<typeof configSchema>;
export type ConfigInput = z.input<typeof configSchema>;

export class ConfigProblem extends Error {}

const VARIABLES: Record<keyof ConfigInput, string> = {
  folder: 'LARDER_FOLDER',
  port: 'LARDER_PORT',
  httpPort: 'LARDER_HTTP_PORT',
  controlPort: 'LARDER_CONTROL_PORT',
  host: 'LARDER_HOST',
  name: 'LARDER_NAME',
  basePath: 'LARDER_BASE_PATH',
  logLevel: 'LARDER_LOG_LEVEL',
  grace: 'LARDER_GRACE',
  ffmpeg: 'LARDER_FFMPEG',
  images: 'LARDER_IMAGES',
  workerMemory: 'LARDER_WORKER_MEMORY',
  homeAccess: 'LARDER_HOME_ACCESS',
  failPoints: 'LARDER_FAIL_POINTS',
};

/** @param flags of the command line, by the names of the schema @throws ConfigProblem with one clear sentence */
export function parseConfig(flags: Record<string, unknown>, environment: NodeJS.ProcessEnv): Config {
  const given = Object.entries(VARIABLES).map(([key, variable]) => [key, flags[key] ?? environment[variable]]);
  const found = { ffmpeg: findProgram('ffmpeg', environment) };
  const result = configSchema.safeParse({
    ...found,
    ...Object.fromEntries(given.filter(([, value]) => value !== undefined)),
  });
  if (result.success) return isTestBuild() ? result.data : { ...result.data, failPoints: noFailPoints };
  const issue = result.error.issues[0];
  const key = String(issue?.path[0] ?? '') as keyof ConfigInput;
  const flag = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw new ConfigProblem(`${flag} (or ${VARIABLES[key]}): ${issue?.message ?? 'is not valid'}`);
}
