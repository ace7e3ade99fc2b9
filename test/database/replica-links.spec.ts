import { ReplicaFault, ReplicaLink } from '../../src/platform/database/pools/replica-link.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

let test: TestDatabase;
let link: ReplicaLink;

beforeEach(async () => {
  test = await createTestDatabase();
  link = await ReplicaLink.open({ url: test.url, poolSize: 1, patienceMs: 0 });
});
afterEach(async () => {
  link.close();
  await test.drop();
});

const read = <T>(work: () => Promise<T>) => link.read('0/0', { work, signal: undefined });

describe('the connections to a replica', () => {
  it('fail every read when they are closed', async () => {
    const waiting = read(() => new Promise(() => undefined));
    link.close();
    await expect(waiting).rejects.toThrow(ReplicaFault);
    await expect(read(() => Promise.resolve('read'))).rejects.toThrow(ReplicaFault);
  });

  it('keep nothing of a read that is over, however long they last', async () => {
    const [added, removed] = [listeners('addEventListener'), listeners('removeEventListener')];
    expect(await read(() => Promise.resolve('read'))).toBe('read');
    await expect(read(() => Promise.reject(new Error('no')))).rejects.toThrow(ReplicaFault);
    expect(added.length).toBe(2);
    expect(removed).toEqual(added);
  });
});

/** The listeners that signals are given, or give back, as `[event, listener]`. */
function listeners(method: 'addEventListener' | 'removeEventListener'): (readonly unknown[])[] {
  const calls: (readonly unknown[])[] = [];
  const original = Reflect.get(AbortSignal.prototype, method) as () => void;
  jest.spyOn(AbortSignal.prototype, method).mockImplementation(function (this: AbortSignal, ...given) {
    calls.push(given.slice(0, 2));
    Reflect.apply(original, this, given);
  });
  return calls;
}
