let listens = false;

/** Waits until standard output has accepted it. Throws EPIPE if nobody reads it any more. */
export function writeOut(text: string): Promise<void> {
  // A failed write also emits an event, which has no other listener.
  if (!listens) process.stdout.on('error', () => undefined);
  listens = true;
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}
