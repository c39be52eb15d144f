/** A server-sent event. */
export interface StreamedEvent {
  readonly name: string;
  readonly data: string;
}

/**
 * Reads the output of the server's `streamEvents` (WHATWG HTML, server-sent events): the fields `event` and `data`. Comments,
 * which keep the connection alive, are skipped. Ends with the stream. @throws the error of the stream
 * @param onKeepAlive called with each keep-alive message
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onKeepAlive: () => void = () => undefined,
): AsyncGenerator<StreamedEvent> {
  let rest = '';
  for await (const text of pieces(body)) {
    onKeepAlive();
    const blocks = `${rest}${text}`.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parse(block);
      if (event !== null) yield event;
    }
  }
}

async function* pieces(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      yield decoder.decode(read.value, { stream: true });
    }
  } finally {
    reader.releaseLock();
  }
}

function parse(block: string): StreamedEvent | null {
  const lines = block.split('\n');
  const field = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2));
  const data = field('data');
  return data.length === 0 ? null : { name: field('event').at(-1) ?? 'message', data: data.join('\n') };
}
