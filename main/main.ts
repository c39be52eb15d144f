import { app, protocol } from 'electron';
import { COMMAND_LINE, runCommandLine } from './command-line.ts';
import { startDesktop } from './composition/desktop.ts';

// Both must be called before the application is ready.
app.enableSandbox();
protocol.registerSchemesAsPrivileged([
  { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } },
]);

// The id for notifications on Windows, as registered by the installer.
app.setAppUserModelId('household.larder.desktop');

const at = process.argv.indexOf(COMMAND_LINE);
// Not awaited, because the application is not ready before this file has run to its end.
const running = at === -1 ? startDesktop() : runCommandLine(process.argv.slice(at + 1));
running.catch((error: unknown) => {
  process.stderr.write(`larder: ${error instanceof Error ? error.stack : String(error)}\n`);
  app.exit(1);
});
