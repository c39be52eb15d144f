import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { OWNER } from '../../support/households/household.ts';
import { Installation } from '../../support/households/server-process.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { LoopDisk } from '../../support/system/loop-disk.ts';

const HOME = '/ROOT/HOME';
const RESERVE = 4 * 1024 * 1024;

/** An installation on a small disk of its own, which is filled up to so many bytes again and again. */
export class FullDisk {
  readonly #disk: LoopDisk;
  readonly #installation: Installation;
  #api: ApiClient;

  private constructor(disk: LoopDisk, installation: Installation, api: ApiClient) {
    this.#disk = disk;
    this.#installation = installation;
    this.#api = api;
  }

  static async open(blockSize: number): Promise<FullDisk> {
    const disk = await LoopDisk.make(blockSize);
    const installation = await Installation.create(disk.path);
    return new FullDisk(disk, installation, await installation.start());
  }

  async close(): Promise<void> {
    await this.#installation.kill();
    await this.#disk.remove();
  }

  /** The disk fills while the server runs. */
  async whileRunning(free: number): Promise<void> {
    await this.#prepare();
    await this.#disk.fill(free);
    await this.#expectUsable();
    await this.#disk.makeRoom();
  }

  /** The power fails, and the disk is full when the server starts again. */
  async afterRestart(free: number): Promise<void> {
    await this.#prepare();
    await this.#installation.kill();
    await this.#disk.fill(free);
    this.#api = await this.#installation.start();
    await this.#expectUsable();
    await this.#disk.makeRoom();
  }

  async #prepare(): Promise<void> {
    for (const name of ['read.txt', 'trashed.txt', 'delete.txt']) {
      const put = () => this.#api.put({ path: `${HOME}/${name}` }, name).then(({ status }) => status);
      await expect.poll(put).toBeLessThan(300);
    }
    expect((await this.#api.post('files/delete', { path: `${HOME}/trashed.txt` })).status).toBe(200);
    const reserve = join(this.#installation.folder, '.larder', 'reserve');
    await expect.poll(() => stat(reserve).then(({ size }) => size)).toBe(RESERVE);
  }

  async #expectUsable(): Promise<void> {
    const api = this.#api;
    const done = {
      list: (await api.get('files/browse', { path: HOME })).status,
      read: (await api.get('files/download', { path: `${HOME}/read.txt` })).text,
      signIn: await this.#installation.token(OWNER.username, OWNER.password).then(
        () => 'signed in',
        (error: Error) => error.message,
      ),
      delete: (await api.post('files/delete', { path: `${HOME}/delete.txt` })).status,
      permanently: (await api.post('files/delete', { path: `${HOME}/read.txt`, permanent: 1 })).status,
      emptyTrash: (await api.post('files/trash/empty', {})).status,
      trash: (await api.get('files/browse', { path: '/TRASH' })).body.data?.files,
    };
    expect(done).toEqual({
      ...{ list: 200, read: 'read.txt', signIn: 'signed in' },
      ...{ delete: 200, permanently: 200, emptyTrash: 200, trash: [] },
    });
  }
}
