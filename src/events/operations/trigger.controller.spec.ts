import { anAction } from '../../../test/support/builders/an-action.js';
import { anEventDocument } from '../../../test/support/builders/an-event-document.js';
import { eventDocumentView } from '../records/history-bounds.js';
import type { Command } from '../write/command.js';
import { TriggerController } from './trigger.controller.js';
import { TriggerService } from './trigger.service.js';

const LONG = 'x'.repeat(100_000);
const CALLER = { subject: 'country', userType: 'system', scopes: [], grants: [] } as const;

/** The size of the command that is submitted for a body. */
async function sizeFor(body: object): Promise<number> {
  const sizes: number[] = [];
  const writer = {
    submit: <T>({ size }: Command<T>): Promise<T> => {
      sizes.push(size);
      return new Promise(() => undefined);
    },
  };
  void new TriggerController(new TriggerService(writer)).accept('birth', 'CREATE', body, {
    caller: CALLER,
    hungUp: new AbortController().signal,
  });
  await Promise.resolve();
  return sizes[0] ?? 0;
}

it('a trigger counts for what it holds while it waits, and not for how many actions it has', async () => {
  const document = eventDocumentView(anEventDocument());
  const declared = anEventDocument({ actions: [anAction({ declaration: { 'child.name': LONG } })] });
  const small = await sizeFor(document);
  expect(small).toBeLessThan(5_000);
  expect(await sizeFor(eventDocumentView(declared))).toBe(small + 3 * (LONG.length + '"child.name":""'.length));
  // What is not known here is kept until the request is answered, too.
  expect(await sizeFor({ ...document, unknown: LONG })).toBe(small + 3 * (LONG.length + ',"unknown":""'.length));
});
