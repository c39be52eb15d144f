import { useDesktop } from './control/desktop.tsx';

/**
 * Gives a text to the one who uses the panel, as a file: the browser downloads it, the window asks where it goes.
 * @returns a function with the name and the type of the file and what is in it; it answers whether it was saved
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
  // The download has begun when the next turn comes; some browsers read it only then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
