import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { type FailAction, noFailPoints } from '../lib/process/fail-points.ts';
import { t } from '../messages/messages.ts';
import { findProgram } from './find-program.ts';
import { isTestBuild } from './test-build.ts';

const port = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,5}$/)
      .transform(Number),
  ])
  .refine((number) => Number.isInteger(number) && number >= 0 && number <= 65_535);

/** A path prefix such as `/files`; empty for none. */
const basePath = z
  .string()
  .transform((text) => text.replace(/\/+$/, ''))
  .refine((text) => text === '' || /^(?:\/[A-Za-z0-9._~-]+)+$/.test(text));

const failPoints = z.string().transform((text) => {
  const [folder = '', ...entries] = text.split(';');
  const actions = entries.filter(Boolean).map((entry) => entry.split('=') as [string, FailAction]);
  return { folder, actions: Object.fromEntries(actions) };
});

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
const IMAGES = ['native', 'wasm'] as const;
const HOME_ACCESS = ['owner', 'group', 'everyone'] as const;

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
  logLevel: z.enum(LOG_LEVELS).default('info'),
  /** Milliseconds for requests in progress at a stop. */
  grace: z.coerce.number().int().min(0).default(30_000),
  /** The program that extracts frames of videos: its path; empty for none. By default searched for. */
  ffmpeg: z
    .string()
    .transform((path) => path || null)
    .nullable()
    .default(null),
  /** Which build of the image library the workers use: `wasm` even if there is a native one. */
  images: z.enum(IMAGES).default('native'),
  /** Memory of all workers; set in MiB, stored in bytes. Null: chosen by the memory of the machine. */
  workerMemory: z.coerce
    .number()
    .int()
    .min(256)
    .transform((mebibytes) => mebibytes * 1024 * 1024)
    .nullable()
    .default(null),
  /** MiB per second at which files are read in the background to hash them; 0: they are not. */
  hashRate: z.coerce.number().min(0).max(100_000).default(20),
  /** Seconds after the start before that begins, and between two checks for new files. */
  hashDelay: z.coerce.number().min(0.01).max(86_400).default(60),
  /** The folder in which the system describes its supplies of power; see `storage/battery.ts`; by default that of Linux. */
  powerSupplies: z.string().default('/sys/class/power_supply'),
  /** Which other users of this machine can access people's files; see `storage/homes/home-access.ts`. */
  homeAccess: z.enum(HOME_ACCESS).default('owner'),
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
  hashRate: 'LARDER_HASH_RATE',
  hashDelay: 'LARDER_HASH_DELAY',
  powerSupplies: 'LARDER_POWER_SUPPLIES',
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
  throw new ConfigProblem(problemText(key, { flag, variable: VARIABLES[key] }));
}

function problemText(key: keyof ConfigInput, named: { readonly flag: string; readonly variable: string }): string {
  switch (key) {
    case 'port':
    case 'httpPort':
    case 'controlPort':
      return t('cli.config.port', named);
    case 'basePath':
      return t('cli.config.basePath', named);
    case 'logLevel':
      return t('cli.config.oneOf', { ...named, values: LOG_LEVELS.join(', ') });
    case 'homeAccess':
      return t('cli.config.oneOf', { ...named, values: HOME_ACCESS.join(', ') });
    case 'images':
      return t('cli.config.oneOf', { ...named, values: IMAGES.join(', ') });
    case 'workerMemory':
      return t('cli.config.workerMemory', named);
    default:
      return t('cli.config.invalid', named);
  }
}
