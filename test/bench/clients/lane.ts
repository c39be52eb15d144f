import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import { CIPHER } from '../tls.ts';

const LAST_CHUNK = '0\r\n\r\n';

export interface Reply {
  readonly status: number;
  /** Of the body, as it came. */
  readonly bytes: number;
}

/** One connection, one request at a time. Of a reply it looks at the status and at where it ends, and at nothing else. */
export class Lane {
  readonly #socket: TLSSocket;
  #head = '';
  #status = 0;
  /** Bytes of the body that are still to come; null while the head does, or when the reply comes in chunks. */
  #missing: number | null = null;
  #received = 0;
  #tail = '';
  #answered: (reply: Reply) => void = () => undefined;
  #failed: (error: Error) => void = () => undefined;

  private constructor(socket: TLSSocket) {
    this.#socket = socket;
    socket.on('data', (bytes) => this.#take(bytes));
    socket.on('error', (error) => this.#failed(error));
    socket.on('close', () => this.#failed(new Error('the server closed the connection')));
  }

  static async connect(port: number, ca: string): Promise<Lane> {
    const socket = connect({ host: '127.0.0.1', port, ca, minVersion: 'TLSv1.3', ciphers: CIPHER });
    await once(socket, 'secureConnect');
    const { name } = socket.getCipher();
    if (name !== CIPHER) throw new Error(`the server chose ${name}`);
    return new Lane(socket);
  }

  send(request: Buffer): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#answered = resolve;
      this.#failed = reject;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(bytes: Buffer): void {
    if (this.#status === 0) this.#takeHead(bytes);
    else this.#takeBody(bytes);
  }

  #takeHead(bytes: Buffer): void {
    this.#head += bytes.toString('latin1');
    const end = this.#head.indexOf('\r\n\r\n');
    if (end === -1) return;
    const head = this.#head.slice(0, end);
    const body = this.#head.slice(end + 4);
    this.#status = Number(head.slice(9, 12));
    const length = /^content-length: *(\d+)/im.exec(head)?.[1];
    this.#missing = length === undefined ? null : Number(length);
    this.#takeBody(Buffer.from(body, 'latin1'));
  }

  #takeBody(bytes: Buffer): void {
    this.#received += bytes.length;
    if (this.#missing !== null) this.#missing -= bytes.length;
    else this.#tail = (this.#tail + bytes.subarray(-LAST_CHUNK.length).toString('latin1')).slice(-LAST_CHUNK.length);
    // No JSON has the end of the last chunk in it: it writes line ends as \r\n in letters.
    if (this.#missing === null ? this.#tail !== LAST_CHUNK : this.#missing > 0) return;
    const reply = { status: this.#status, bytes: this.#received };
    this.#head = '';
    this.#status = 0;
    this.#received = 0;
    this.#tail = '';
    this.#answered(reply);
  }
}
