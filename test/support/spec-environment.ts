import { TestEnvironment } from 'jest-environment-node';

/**
 * Jest's own environment; it also ends what the hooks of a spec file left behind, in the reverse of the order in which
 * it was made.
 */
export default class SpecEnvironment extends TestEnvironment {
  override async teardown(): Promise<void> {
    const left = [...(this.global.leftOver ?? [])].reverse();
    for (const end of left) {
      await end().catch((error: unknown) => {
        process.stderr.write(`left over by a spec, and not ended: ${String(error)}\n`);
      });
    }
    await super.teardown();
  }
}
