import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** A terminal: what a person types into, and where they read. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Called for Ctrl C. */
  readonly interrupt: () => void;
}

/**
 * A line that a person types, without showing it. The keys that correct it work as everywhere. At the end of input it is what
 * there is.
 */
export async function readSecret(prompt: string, { input, output, interrupt }: Terminal): Promise<string> {
  // What is typed would be written to the output of the reader.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input, output: nowhere, terminal: true, historySize: 0 });
  reader.on('SIGINT', () => {
    reader.close();
    output.write('\n');
    interrupt();
  });
  output.write(prompt);
  try {
    return await new Promise<string>((resolve) => {
      reader.once('line', resolve);
      reader.once('close', () => resolve(''));
    });
  } finally {
    reader.close();
    output.write('\n');
  }
}
