/** Memory of a waiting command without content, in bytes. */
export const SMALLEST_COMMAND = 2_048;

/** Copies of a JSON text: as sent, read and written. */
const BYTES_PER_UNIT = 3;

/** Approximate waiting memory, in bytes. */
export const sizeOfCommand = (text: string): number => SMALLEST_COMMAND + BYTES_PER_UNIT * text.length;
