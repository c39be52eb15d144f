import { mkdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Output } from '../../dist/server/control/contract/contract.js';
import { type Household, openHousehold } from '../support/households/household.ts';
import { t } from '../support/server-texts.ts';
import { emptyInstallation } from './support.ts';
import { TRANSPORTS } from './transports/transports.ts';

const require = createRequire(import.meta.url);
const own = require('../../package.json') as { version: string; dependencies: object; devDependencies: object };

let household: Household;

beforeAll(async () => {
  household = await openHousehold();
});
afterAll(() => household.close());

describe.each(Object.entries(TRANSPORTS))('the packages of Larder, over %s', (_name, open) => {
  it('are listed with their licences', async () => {
    const control = await open(household);
    try {
      const about = (await control.call('about.get', {})) as Output<'about.get'>;
      expect(about).toMatchObject({
        version: own.version,
        node: process.versions.node,
        sqlite: expect.stringMatching(/^3\.\d+\.\d+$/),
        electron: null,
        system: expect.stringContaining(process.arch),
        folder: household.folder,
        since: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      });
      const text = { name: 'react', version: require('react/package.json').version, part: 'panel' };
      expect(await control.call('about.licence', text)).toEqual({ text: expect.stringContaining('MIT License') });
    } finally {
      control.close();
    }
  });
});

describe('the packages', () => {
  it('are those used at run time, each with a licence, without those for building and testing', async () => {
    const { packages } = (await household.control('about.get')) as Output<'about.get'>;
    const inServer = packages.filter(({ part }) => part === 'server').map(({ name }) => name);
    expect(Object.keys(own.dependencies).filter((name) => !inServer.includes(name))).toEqual([]);
    for (const name of ['body-parser', 'toposort-class']) expect(inServer, 'also what they stand on').toContain(name);
    for (const name of ['typescript', 'vite', 'vitest', 'electron', 'react', '@types/node']) {
      expect(Object.keys(own.devDependencies)).toContain(name);
      expect(inServer).not.toContain(name);
    }
    const inPanel = packages.filter(({ part }) => part === 'panel').map(({ name }) => name);
    expect(inPanel).toEqual(expect.arrayContaining(['react', 'react-dom', '@mantine/core', '@tabler/icons-react']));
    expect(packages.filter(({ licence, version }) => licence === '' || version === '')).toEqual([]);
    const keys = packages.map(({ name, version, part }) => `${name} ${version} ${part}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('have the full text of their licence', async () => {
    const { packages } = (await household.control('about.get')) as Output<'about.get'>;
    const express = packages.find(({ name }) => name === 'express');
    const { name, version, part } = express ?? {};
    const { text } = await household.control('about.licence', { name, version, part });
    expect(text).toContain('Permission is hereby granted');
  });

  it.each([
    { name: 'nothing', version: '1.0.0', part: 'server' },
    { name: '../../package.json', version: '1.0.0', part: 'server' },
    { name: 'react', version: '1.0.0', part: 'panel' },
  ])('are the same as those installed: $name', async (input) => {
    await expect(household.control('about.licence', input)).rejects.toMatchObject({ code: 'refused', field: 'name' });
  });
});

describe('the doctor', () => {
  it('reports what a repair would change, and its progress', async () => {
    const installation = await emptyInstallation();
    const dispatch = (method: string, input: unknown = {}) =>
      installation.dispatch(method, input) as Promise<Record<string, unknown>>;
    try {
      await dispatch('setup', { owner: 'ann', password: 'correct horse battery' });
      const left = join(installation.folder, '.larder', 'backups');
      await rm(left, { recursive: true, force: true });
      const work = dispatch('doctor');
      const steps = new Set<unknown>();
      let isDone = false;
      void work.finally(() => {
        isDone = true;
      });
      while (!isDone) {
        const { isRunning, check, done, total } = await dispatch('doctor.progress');
        if (isRunning) steps.add(`${check} ${done} of ${total}`);
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect([...steps].length).toBeGreaterThan(1);
      expect([...steps][0]).toMatch(/^\w+ \d+ of \d+$/);
      expect(await dispatch('doctor.progress')).toEqual({ isRunning: false, check: '', done: 0, total: 0 });
      const { problems, notes, repairable } = (await work) as Record<string, string[]>;
      expect([...(problems ?? []), ...(notes ?? [])]).toEqual(expect.arrayContaining(repairable ?? ['nothing']));
      const repaired = await dispatch('doctor', { repair: true });
      expect(repaired).not.toHaveProperty('repairable');
      expect(repaired.repaired).toHaveLength(repairable?.length ?? 0);
      await mkdir(left, { recursive: true });
    } finally {
      await installation.close();
    }
  });

  it('can be stopped at any step, and started again', async () => {
    const folders = Array.from({ length: 1_000 }, (_, n) => `ann/${n}/file`);
    const installation = await emptyInstallation(folders);
    const dispatch = (method: string, input: unknown = {}) =>
      installation.dispatch(method, input) as Promise<Record<string, unknown>>;
    try {
      const homeFolder = join(installation.folder, 'homes', 'ann');
      await dispatch('setup', { owner: 'ann', password: 'correct horse battery', homeFolder });
      expect(await dispatch('doctor.cancel')).toEqual({ cancelled: false });
      const work = dispatch('doctor').catch((error: unknown) => error);
      // It reads so many files that it is seen in some turn of the event loop.
      while ((await dispatch('doctor.progress')).check !== 'files')
        await new Promise((resolve) => setImmediate(resolve));
      expect(await dispatch('doctor.cancel')).toEqual({ cancelled: true });
      expect(await work).toMatchObject({ code: 'refused', message: t('api.doctor.stopped') });
      expect(await dispatch('doctor.progress')).toMatchObject({ isRunning: false });
      expect((await dispatch('doctor')).problems).toEqual([]);
    } finally {
      await installation.close();
    }
  });
});
