/**
 * What a preload script finds around itself in Electron's sandbox, as a script that runs before those of the page: `require`
 * gives `electron` alone, with the bridge to the page and the way to the application.
 * @param source of the preload script
 */
export function preloadScript(source: string): string {
  return `(() => {
  const call = window.__standIn;
  delete window.__standIn;
  const listeners = new Map();
  const ask = (kind, channel, args) => call(kind, JSON.stringify({ channel, args }));
  const ipcRenderer = {
    invoke: (channel, ...args) => ask('invoke', channel, args).then(JSON.parse),
    send: (channel, ...args) => void ask('send', channel, args),
    on(channel, listener) {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
      return ipcRenderer;
    },
    off(channel, listener) {
      listeners.set(channel, (listeners.get(channel) ?? []).filter((one) => one !== listener));
      return ipcRenderer;
    },
  };
  Object.defineProperty(window, '__standInHear', {
    value: (text) => {
      const { channel, args } = JSON.parse(text);
      for (const listener of listeners.get(channel) ?? []) listener({ sender: ipcRenderer }, ...args);
    },
  });
  const freeze = (api) => {
    for (const value of Object.values(api)) if (typeof value === 'object' && value !== null) freeze(value);
    return Object.freeze(api);
  };
  const contextBridge = {
    exposeInMainWorld: (name, api) => Object.defineProperty(window, name, { value: freeze(api), enumerable: true }),
  };
  const require = (name) => {
    if (name === 'electron') return { contextBridge, ipcRenderer };
    throw new Error('module not found: ' + name);
  };
  const exports = {};
  ((require, exports, module) => {
${source}
  })(require, exports, { exports });
})();`;
}
