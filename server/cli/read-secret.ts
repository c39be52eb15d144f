import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** A terminal: its input and output. */
interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Called for Ctrl+C. */
  readonly interrupt: () => void;
}

/** Reads a line without echoing it. Editing keys work as usual. The end of input ends the line. */
export async function readSecret(prompt: string, { input, output, interrupt }: Terminal): Promise<string> {
  // The reader would echo the input to its output.
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
