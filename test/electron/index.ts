// Stands in for Electron where its program is not there: the same names, so far as the application uses them. Windows are
// pages of a real Chromium, processes are real ones of Node.
export { app } from './app.ts';
export { ipcMain } from './ipc.ts';
export { Menu, nativeImage, nativeTheme, Tray } from './menus.ts';
export { protocol, session } from './session.ts';
export { clipboard, dialog, Notification, powerMonitor, powerSaveBlocker, shell } from './system.ts';
export { aliveProcesses, MessageChannelMain, utilityProcess } from './utility.ts';
export { BrowserWindow, escaped } from './windows.ts';
