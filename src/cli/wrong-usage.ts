/** Exit code 2 (P-10). */
export class WrongUsage extends Error {}
