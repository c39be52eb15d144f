import type { Socket } from 'node:dgram';

/** Bytes of a question; real ones fit into one chunk of the network. */
const MOST_BYTES = 1_500;
const HEADER = 12;
const MOST_QUESTIONS = 32;
/** Of each second, so that whoever asks without end costs next to nothing. A household asks a few times. */
const MOST_HEARD = 200;
const MOST_ANSWERS = 20;

/** Counts what is done within a second, and says when it has been enough. */
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
 * Stands before the library's reading of what comes from the network, where anybody may send anything: it makes room for as
 * many records as a header of twelve bytes claims, milliseconds of work each time. Only questions get through, without the
 * records that come with them: nothing here looks for anything, and nobody's claims are believed.
 */
export function hearQuestionsOnly(socket: Socket): void {
  const readers = socket.listeners('message');
  socket.removeAllListeners('message');
  const isRoom = atMost(MOST_HEARD);
  socket.on('message', (message, from) => {
    if (message.length <= HEADER || message.length > MOST_BYTES) return;
    const isAnswer = ((message[2] ?? 0) & 0x80) !== 0;
    const questions = message.readUInt16BE(4);
    if (isAnswer || questions === 0 || questions > MOST_QUESTIONS || !isRoom()) return;
    message.fill(0, 6, HEADER);
    for (const read of readers) read.call(socket, message, from);
  });
}

export interface Question {
  readonly name: string;
  readonly type: string;
}

/** Each question of a packet once, and answers to no more of them than a network has use for. */
export function answerSparingly(respondTo: (query: { questions: Question[] }) => void) {
  const isRoom = atMost(MOST_ANSWERS);
  let isAnswering = false;
  return {
    /** Whether what is about to be sent may be. What was not asked for always may. */
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
