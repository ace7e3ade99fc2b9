/** The command was called in a way it does not know: exit code 2 (P-10). */
export class WrongUsage extends Error {}
