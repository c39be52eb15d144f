// What Electron gives to the program of a utility process, in a process that Node has started: `process.parentPort`, and
// ports that come along with messages. What goes through a port goes by way of the parent.

const ports = new Map();
const listeners = [];
const early = [];

function makePort(id) {
  const own = { message: [], close: [], queue: [], isStarted: false };
  ports.set(id, own);
  return {
    postMessage: (data) => process.send({ port: id, data }),
    on: (event, listener) => own[event].push(listener),
    start() {
      own.isStarted = true;
      for (const data of own.queue.splice(0)) for (const listener of own.message) listener({ data });
    },
    close() {
      if (ports.delete(id)) process.send({ closed: id });
    },
  };
}

process.on('message', (message) => {
  if ('ports' in message) {
    const event = { data: message.data, ports: message.ports.map(makePort) };
    if (listeners.length === 0) early.push(event);
    for (const listener of listeners) listener(event);
    return;
  }
  const own = ports.get(message.port ?? message.closed);
  if (own === undefined) return;
  if ('closed' in message) {
    ports.delete(message.closed);
    for (const listener of own.close) listener();
  } else if (own.isStarted) for (const listener of own.message) listener({ data: message.data });
  else own.queue.push(message.data);
});
process.on('disconnect', () => process.exit());

process.parentPort = {
  postMessage: (data) => process.send({ data }),
  on(_event, listener) {
    listeners.push(listener);
    for (const event of early.splice(0)) listener(event);
  },
};
const [, , program] = process.argv;
// The program finds its own options where they are for any other.
process.argv.splice(1, 2, program);
await import(program);
