import type { Refusal } from '../../src/kernel/errors/service-error.js';
import type { RunningApplication } from './application.js';
import { eventually } from './eventually.js';

/** Waits until a refusal is counted, and until a line of the log names the client that was refused. */
export async function expectRefused(service: RunningApplication, refusal: Refusal, client: string): Promise<void> {
  const count = new RegExp(`^matricula_refusals_total\\{refusal="${refusal}"\\} [1-9]`, 'm');
  await eventually(`${refusal} is counted`, async () =>
    count.test((await service.request('GET', '/metrics', { listener: 'internal' })).body),
  );
  await eventually(`${refusal} is logged`, () =>
    service.log.some((line) => line.msg === 'refused' && line.refusal === refusal && line.client === client),
  );
}
