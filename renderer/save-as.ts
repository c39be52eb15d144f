/** Gives a text to the one who uses the panel, as a file that the browser or the window saves. */
export function saveAs(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The download has begun when the next turn comes; some browsers read it only then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
