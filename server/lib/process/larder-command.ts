let typed = 'larder';

/** Called once by the entry point: the command as its user types it, with a path if it is not on the search path. */
export function setLarderCommand(command: string): void {
  typed = command;
}

/** The command line as it can be typed here, for messages with commands: `${larderCommand()} doctor --repair`. */
export function larderCommand(): string {
  return typed;
}
