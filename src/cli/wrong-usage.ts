/** The command was called with unknown or wrong arguments: exit code 2 (P-10). */
export class WrongUsage extends Error {}
