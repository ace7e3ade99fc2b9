import type { EnvironmentContext, JestEnvironmentConfig } from '@jest/environment';
import { ModernFakeTimers } from '@jest/fake-timers';
import { TestEnvironment } from 'jest-environment-node';
import { ModuleMocker } from 'jest-mock';

/**
 * Jest's own environment, but in the process itself and not in a context of its own for each spec file: there every
 * look at a global is a call, and each package would be loaded again (`spec-runtime.cjs`). It also ends what the hooks
 * of a spec file left behind, in the reverse of the order in which it was made.
 */
export default class SpecEnvironment extends TestEnvironment {
  private readonly putBack = kept();

  constructor(config: JestEnvironmentConfig, context: EnvironmentContext) {
    super(config, context);
    Object.assign(this, { global: globalThis });
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ config: config.projectConfig, global: globalThis });
  }

  override async teardown(): Promise<void> {
    const left = [...(globalThis.leftOver ?? [])].reverse();
    for (const end of left) {
      await end().catch((error: unknown) => {
        process.stderr.write(`left over by a spec, and not ended: ${String(error)}\n`);
      });
    }
    globalThis.leftOver = undefined;
    await super.teardown();
    this.putBack();
  }
}

/**
 * A worker that has nothing left to do ends at once. To take its heap down first takes longer than the half second that
 * Jest waits on a busy machine, and Jest then says that tests leak; one that does have something left never comes here.
 */
if (process.send !== undefined) process.once('beforeExit', () => process.exit());

/** Where `jest-circus` keeps the tests of a file, and who listens to them. */
const OF_THE_FILE = new Set<string | undefined>(['EVENT_HANDLERS', 'JEST_STATE_SYMBOL']);

/** Notes what Jest and tests replace in the process, and yields how to put it back. */
function kept(): () => void {
  const { console } = globalThis;
  const functions = Object.getOwnPropertyDescriptors(process);
  const environment = { ...process.env };
  return () => {
    Object.assign(globalThis, { console });
    for (const name of ['exit', 'getBuiltinModule'] as const) Object.defineProperty(process, name, functions[name]);
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      if (OF_THE_FILE.has(symbol.description)) Reflect.deleteProperty(globalThis, symbol);
    }
    for (const name of Object.keys(process.env)) if (!(name in environment)) Reflect.deleteProperty(process.env, name);
    Object.assign(process.env, environment);
  };
}
