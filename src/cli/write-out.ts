let listens = false;

/** Waits until standard output has taken it. Throws EPIPE when nobody reads that any more. */
export function writeOut(text: string): Promise<void> {
  // The failure of a write is also an event, which nobody else listens to.
  if (!listens) process.stdout.on('error', () => undefined);
  listens = true;
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}
