import { aTrackingId } from '../../../test/support/builders/a-tracking-id.js';
import { aUuid } from '../../../test/support/builders/a-uuid.js';
import { aRecord } from '../../../test/support/builders/a-record.js';
import { EVERYTHING_SHOWN } from '../../../test/support/event-writers.js';
import { WITHOUT_FORMS } from '../../../test/support/without-forms.js';
import { callerOf } from '../../auth/access/scope-permissions.js';
import type { PotentialDuplicate } from '../../kernel/domain/event-record.js';
import { Hierarchy } from '../../auth/locations/hierarchy-cache.js';
import { RecordAccess } from '../search/stored-access.js';
import type { Command } from '../write/command.js';
import type { EventWriter } from '../write/event-writer.js';
import { DuplicatesWanted } from './decisions/decide-action.js';
import { EventOperations } from './event-operations.js';
import { askedAction } from './decisions/asked-action.js';

const caller = callerOf({ sub: 'registrar', userType: 'user', scope: ['record.register'] }, () => undefined);
const { signal: hungUp } = new AbortController();

/** What the command needs that registers, after a search that has found these. */
async function neededWith(found: readonly PotentialDuplicate[]): Promise<unknown> {
  const commands: Command<unknown>[] = [];
  const submit = (command: Command<unknown>): Promise<unknown> => {
    commands.push(command);
    if (commands.length === 1) return Promise.reject(new DuplicatesWanted(aRecord(), false));
    return Promise.resolve({ view: {}, requested: undefined });
  };
  const operations = new EventOperations(
    { submit } as unknown as EventWriter,
    new RecordAccess(new Hierarchy([])),
    WITHOUT_FORMS,
    { placeOf: () => Promise.resolve(null) },
    { duplicatesOf: () => Promise.resolve(found) },
    EVERYTHING_SHOWN,
  );
  await operations.act(aUuid(), askedAction('REGISTER', { transactionId: 'tx' }), { caller, hungUp });
  return commands.map(({ needs }) => needs);
}

describe('a registration', () => {
  it('takes a number once no duplicate was found, and none if one was', async () => {
    expect(await neededWith([])).toEqual([undefined, 'registrationNumber']);
    expect(await neededWith([{ id: aUuid(), trackingId: aTrackingId() }])).toEqual([undefined, undefined]);
  });
});
