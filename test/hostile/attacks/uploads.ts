import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { MIB } from '../../../src/kernel/domain/bytes.js';
import { only, statuses, times } from '../arena.js';
import type { Attack } from '../attack.js';
import { UNNAMED_BYTES } from '../settings.js';
import { uploadOf } from '../upload-form.js';

export const UPLOAD_ATTACKS: readonly Attack[] = [
  {
    attack: 'sixteen imports that send a line and then nothing',
    act: async (arena) => {
      const token = await arena.issuer.token();
      const uploads = times(16, () => {
        const upload = request(`${arena.internalUrl}/events/bulk-import`, {
          method: 'POST',
          agent: false,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
        });
        upload.on('error', () => undefined);
        upload.write('{"id":\n');
        return upload;
      });
      try {
        await sleep(3_000);
        const client = await arena.client();
        const answers = [];
        for (let round = 0; round < 20; round += 1) {
          answers.push(await arena.search(client, { clauses: [{ eventType: 'birth' }] }, { limit: 1 }));
          const ready = await fetch(`${arena.internalUrl}/health/ready`);
          if (ready.status !== 200) throw new Error(`readiness is ${ready.status}: ${await ready.text()}`);
        }
        if (answers.some(({ status }) => status !== 200)) throw new Error(`searches got ${statuses(answers)}`);
        return `searches and readiness ${statuses(answers)}`;
      } finally {
        for (const upload of uploads) upload.destroy();
      }
    },
  },
  {
    attack: 'twice as many uploads at once as a client may have that no record names',
    isCostly: true,
    act: async (arena) => {
      const [client, other] = [await arena.client(), await arena.client()];
      const upload = ({ token }: { readonly token: string }) =>
        arena.post('/attachments', { token, ...uploadOf({ transactionId: randomUUID(), bytes: 2 * MIB }) });
      const answers = await Promise.all(times(UNNAMED_BYTES / MIB, () => upload(client)));
      only(answers, [200, 413, 503]);
      const kept = answers.filter(({ status }) => status === 200).length;
      if (kept === 0 || kept > UNNAMED_BYTES / (2 * MIB)) throw new Error(`${kept} uploads were kept`);
      only([await upload(other)], [200]);
      return `${statuses(answers)}; another client meanwhile 200`;
    },
  },
];
