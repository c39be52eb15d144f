import { expect, it } from 'vitest';
import { readEvents, type StreamedEvent } from '../../../dist/renderer-modules/transport/event-stream.js';

const TEXT =
  ': a sign of life\n\nevent: one\ndata: {"name":"Küche 🍅"}\n\n:\n\nevent: two\ndata: 1\ndata: 2\n\nevent: cut off\ndata: ';

const EVENTS = [
  { name: 'one', data: '{"name":"Küche 🍅"}' },
  { name: 'two', data: '1\n2' },
];

async function eventsOf(pieces: readonly Uint8Array[]): Promise<StreamedEvent[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const events: StreamedEvent[] = [];
  for await (const event of readEvents(body)) events.push(event);
  return events;
}

it('reads the same events however the stream is split, and no incomplete ones', async () => {
  const bytes = new TextEncoder().encode(TEXT);
  expect(await eventsOf([bytes])).toEqual(EVENTS);
  expect(await eventsOf([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(EVENTS);
  for (let cut = 1; cut < bytes.length; cut += 1) {
    expect(await eventsOf([bytes.slice(0, cut), bytes.slice(cut)]), `cut at ${cut}`).toEqual(EVENTS);
  }
});

it('throws the error of the stream', async () => {
  const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.error(new Error('gone')) });
  await expect(readEvents(body).next()).rejects.toThrow('gone');
});
