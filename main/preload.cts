import type { WindowBridge, WindowEvent } from '../server/control/contract/window.ts' with {
  'resolution-mode': 'import',
};

// All that a page of the window has of the application around it. It runs in a sandbox, which lets it load nothing of ours;
// what comes through is checked on the other side.
const { contextBridge, ipcRenderer } = require('electron') as typeof import('electron');

const bridge: WindowBridge = {
  invoke: (method, input) => ipcRenderer.invoke('larder:invoke', { method, input }),
  subscribe(listener) {
    // The event itself stays here: it has the way to everything else in it.
    const forward = (_event: unknown, event: WindowEvent) => listener(event);
    ipcRenderer.on('larder:event', forward);
    // From now on nothing is missed, and how things are comes first.
    ipcRenderer.send('larder:subscribe');
    return () => void ipcRenderer.off('larder:event', forward);
  },
};

contextBridge.exposeInMainWorld('larder', bridge);
