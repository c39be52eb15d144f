import type { Socket } from 'node:dgram';

/** Bytes of a query; real ones fit into one packet. */
const MAX_BYTES = 1_500;
const HEADER = 12;
const MAX_QUESTIONS = 32;
/** Per second, to limit the cost of floods. A household sends only a few. */
const MAX_QUERIES = 200;
const MAX_ANSWERS = 20;

/** Returns a counter that tells whether the limit within the present second is not reached yet. */
function atMost(most: number): () => boolean {
  let since = Number.NEGATIVE_INFINITY;
  let done = 0;
  return () => {
    const now = performance.now();
    if (now - since >= 1_000) {
      since = now;
      done = 0;
    }
    done += 1;
    return done <= most;
  };
}

/**
 * Filters packets from the network before the library parses them, since anybody may send anything: the library allocates as many
 * records as a header of twelve bytes claims, which takes milliseconds each time. Only queries pass, without the records they
 * contain: nothing here looks for services, and claims of others are not trusted.
 */
export function acceptQueriesOnly(socket: Socket): void {
  const readers = socket.listeners('message');
  socket.removeAllListeners('message');
  const isRoom = atMost(MAX_QUERIES);
  socket.on('message', (message, from) => {
    if (message.length <= HEADER || message.length > MAX_BYTES) return;
    const isAnswer = ((message[2] ?? 0) & 0x80) !== 0;
    const questions = message.readUInt16BE(4);
    if (isAnswer || questions === 0 || questions > MAX_QUESTIONS || !isRoom()) return;
    message.fill(0, 6, HEADER);
    for (const read of readers) read.call(socket, message, from);
  });
}

export interface Question {
  readonly name: string;
  readonly type: string;
}

/** Handles each query of a packet once, and sends a limited number of answers. */
export function limitAnswers(respondTo: (query: { questions: Question[] }) => void) {
  const isRoom = atMost(MAX_ANSWERS);
  let isAnswering = false;
  return {
    /** Whether a packet may be sent. Unsolicited ones always may. */
    maySend: () => !isAnswering || isRoom(),
    answer({ questions }: { readonly questions: readonly Question[] }): void {
      const each = new Map(questions.map(({ name, type }) => [`${type} ${name.toLowerCase()}`, { name, type }]));
      isAnswering = true;
      try {
        respondTo({ questions: [...each.values()] });
      } finally {
        isAnswering = false;
      }
    },
  };
}
