// `npm run screenshots`: takes the pictures of the README from the sandbox household.
import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { runnerImport } from 'vite';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const OUTPUT = path('../docs/images/');

const { module: folders } = await runnerImport(path('support/runner/temporary-folder.ts'));
const removeTemporaryFolder = await folders.makeTemporaryFolder();
const { module } = await runnerImport(path('support/browser/browser.ts'));
const sandbox = spawn(process.execPath, [path('sandbox.mjs')], {
  env: { ...process.env, LARDER_HOST: '127.0.0.1' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const { panel, files, password } = await linesOf(sandbox);
const browser = await module.launchBrowser();
try {
  await mkdir(OUTPUT, { recursive: true });
  const desktop = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await desktop.newPage();
  await signIn(page, 'mia');
  await page.goto(new URL('/files/?path=/ROOT/HOME/Pictures/Summer at the lake&view=gallery', files).href);
  await shoot(page, 'files');

  const phone = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    hasTouch: true,
  });
  const small = await phone.newPage();
  await signIn(small, 'ann');
  await small.goto(new URL('/files/?path=/ROOT/HOME/Documents', files).href);
  await shoot(small, 'phone');

  await page.goto(panel);
  await page.getByText('Gran', { exact: true }).waitFor();
  // Something for the curve of the throughput.
  for (let count = 0; count < 8; count += 1) {
    await small.goto(new URL('/files/?path=/SHARED', files).href);
    await small.waitForTimeout(700);
  }
  await shoot(page, 'panel');
} finally {
  await browser.close();
  sandbox.kill('SIGTERM');
  await removeTemporaryFolder();
}

async function signIn(page, username) {
  await page.goto(files);
  await page.locator('input[name=username]').fill(username);
  await page.locator('input[type=password]').fill(password);
  await page.locator('input[type=password]').press('Enter');
  await page.locator('.files').waitFor();
}

/** With a palette: screenshots of pages have few colours, and a repository keeps every version. */
async function shoot(page, name) {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForFunction(() => [...globalThis.document.images].every(({ complete }) => complete));
  const picture = await page.screenshot({ animations: 'disabled' });
  await writeFile(`${OUTPUT}${name}.png`, await sharp(picture).png({ palette: true, quality: 90 }).toBuffer());
}

/** What the sandbox prints. */
function linesOf(child) {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const lines = [/^Panel: +(\S+)/m, /^Files: +(\S+)/m, /^Password: +(.+)$/m].map((line) => line.exec(text)?.[1]);
      const [panel, files, password] = lines;
      if (!lines.includes(undefined)) resolve({ panel, files, password });
    });
    child.on('exit', () => reject(new Error(`the sandbox has stopped: ${text}`)));
  });
}
