import { setTimeout as sleep } from 'node:timers/promises';

import type { AuditDatabase } from '../database/pools/pools.js';
import type { AuditRow } from './audit-entry.js';
import { AuditWriter } from './audit-writer.js';

const row = (id: number): AuditRow => ({ id: String(id), atMs: performance.now(), members: '' });

/** How many rows are written of two, the second of which comes so many microtasks after the first was written. */
async function writtenOfTwo(microtasks: number): Promise<number> {
  let later = Promise.resolve();
  const transaction = (): Promise<undefined> => {
    for (let passed = 0; passed < microtasks; passed += 1) later = later.then(() => undefined);
    if (writer.written === 0) {
      void later.then(() => {
        writer.put(row(2));
      });
    }
    return Promise.resolve(undefined);
  };
  const close = (): Promise<void> => Promise.resolve();
  const writer = new AuditWriter({ transaction, close } as unknown as AuditDatabase);
  writer.put(row(1));
  await sleep(100);
  await writer.onModuleDestroy();
  return writer.written;
}

describe('AuditWriter', () => {
  it('writes a row that comes at whatever moment those before have been written', async () => {
    const moments = Array.from({ length: 12 }, (_, microtasks) => microtasks);
    expect(await Promise.all(moments.map(writtenOfTwo))).toEqual(moments.map(() => 2));
  });
});
