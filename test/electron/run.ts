import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { runInThisContext } from 'node:vm';

// Runs the main program of an application as Electron would: `run.js <program> [arguments]`. Whoever has started this process
// may have functions run in it, with the module `electron`.

register('./hooks.js', import.meta.url);
const electron = await import('./index.js');

interface Wish {
  readonly id: number;
  readonly source: string;
  readonly argument: unknown;
}

process.on('message', async ({ id, source, argument }: Wish) => {
  const reply = await Promise.resolve()
    .then(() => (runInThisContext(`(${source})`) as (...args: unknown[]) => unknown)(electron, argument))
    .then(
      (value: unknown) => ({ id, value }),
      (error: Error) => ({ id, error: error.stack }),
    );
  process.send?.(reply);
});
// Nobody is left to look at it.
process.on('disconnect', () => process.exit(1));

const [, , program = ''] = process.argv;
// The program finds its own arguments where they are in Electron: after itself.
process.argv.splice(1, 1);
await import(pathToFileURL(program).href);
electron.app.start();
