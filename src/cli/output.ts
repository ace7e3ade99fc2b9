/** The answer of a command: on standard output, for machines with `--json` and for people without (P-10). */
export function answer(json: boolean, value: unknown, text: string): void {
  process.stdout.write(`${json ? JSON.stringify(value) : text}\n`);
}

/** Everything that is not the answer goes to standard error. */
export function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Printed once when a migration must try again (P-7). */
export const tellOfWaiting = (): void => {
  tell('Migrations wait for others to be done with the tables that they change; trying again.');
};
