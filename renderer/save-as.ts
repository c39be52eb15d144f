import { useDesktop } from './control/desktop.tsx';

/**
 * Saves a text as a file: the browser downloads it, the window asks where to.
 * @returns a function of name, media type and content; it returns whether the file was saved
 */
export function useSaveAs(): (name: string, type: string, text: string) => Promise<boolean> {
  const desktop = useDesktop();
  return async (name, type, text) => {
    if (desktop !== null) return (await desktop.invoke('desktop.save', { name, text })).saved;
    download(name, type, text);
    return true;
  };
}

function download(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Some browsers read the content only after the event loop's next iteration.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
