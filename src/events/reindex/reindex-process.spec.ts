import * as childProcess from 'node:child_process';

import { aUuid } from '../../../test/support/builders/a-uuid.js';
import { Capacities } from '../../platform/queue/capacities.js';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { HungUp } from '../../platform/queue/hang-up.js';
import type { Actor } from '../../platform/audit/audit-entry.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ReindexProcess } from './reindex-process.js';
import { ReindexController } from './reindex.controller.js';

const ID = aUuid(1);
const BY: Actor = { clientId: 'an administrator', clientType: 'user' };
const CALLER: Caller = { subject: 'an administrator', userType: 'user', scopes: [], grants: [] };

/** A promise, and how it comes to its end. */
function pending<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

describe('a service that ends while a reindex is being registered', () => {
  it('starts no process, and says of the run what has become of it', async () => {
    const spawn = jest.spyOn(childProcess, 'spawn');
    const begun = pending<Uuid>();
    const failed: string[] = [];
    const processes = new ReindexProcess({
      begin: () => begun.promise,
      fail: (id, message) => {
        failed.push(`${id}: ${message}`);
        return Promise.resolve();
      },
    });
    const started = processes.start(BY);
    const ended = processes.onModuleDestroy();
    begun.resolve(ID);
    await expect(started).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: 'The service is ending' });
    await ended;
    expect(failed).toEqual([`${ID}: the service ended before it began`]);
    expect(spawn).not.toHaveBeenCalled();
    spawn.mockRestore();
  });
});

describe('whoever starts a reindex and hangs up', () => {
  const NEVER = new Promise<void>(() => undefined);
  const runs = { find: () => Promise.resolve(undefined), list: () => Promise.resolve([]) };

  it.each(['before it is registered', 'while it runs'])('is not waited for: %s', async (when) => {
    const client = new AbortController();
    const hangUp = (): void => {
      client.abort(new HungUp());
    };
    const start = (): ReturnType<ReindexProcess['start']> => {
      if (when === 'while it runs') setImmediate(hangUp);
      else hangUp();
      return Promise.resolve({ id: ID, ended: NEVER });
    };
    const answer = new ReindexController(runs, { start }, new Capacities({ DATABASE_POOL_SIZE: 4 })).start(
      {},
      CALLER,
      client.signal,
    );
    await expect(answer).rejects.toBeInstanceOf(HungUp);
  });
});
