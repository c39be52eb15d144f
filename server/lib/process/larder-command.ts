let typed = 'larder';

/** Said once, by whatever was started: how its user types the command, with a path where it is not on the search path. */
export function setLarderCommand(command: string): void {
  typed = command;
}

/** The command line as it can be typed here, for messages that tell what to run: `${larderCommand()} doctor --repair`. */
export function larderCommand(): string {
  return typed;
}
