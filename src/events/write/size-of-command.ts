/** What a command without content holds while it waits, in bytes. */
export const SMALLEST_COMMAND = 2_048;

/** What each unit of a JSON text takes, as it is sent, read and written. */
const BYTES_PER_UNIT = 3;

/** Roughly how much memory a command holds while it waits whose content is this JSON text, in bytes. */
export const sizeOfCommand = (text: string): number => SMALLEST_COMMAND + BYTES_PER_UNIT * text.length;
