import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { statuses, times } from '../arena.js';
import type { Attack } from '../attack.js';

export const UPLOAD_ATTACKS: readonly Attack[] = [
  {
    attack: 'sixteen imports that send a line and then nothing',
    before: 'four took the pool: searches and readiness were 503',
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
];
