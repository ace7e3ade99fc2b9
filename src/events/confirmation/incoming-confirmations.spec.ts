import { aUuid } from '../../../test/support/builders/a-uuid.js';
import { WITHOUT_FORMS } from '../../../test/support/without-forms.js';
import { callerOf } from '../../auth/access/scope-permissions.js';
import type { ActionType } from '../../kernel/domain/event-action.js';
import { Hierarchy } from '../../auth/locations/hierarchy-cache.js';
import { RecordAccess } from '../search/stored-access.js';
import type { Command } from '../write/command.js';
import type { AskedConfirmation } from './asked-confirmation.js';
import { NeedsMore } from './decide-confirmation.js';
import { IncomingConfirmations } from './incoming-confirmations.js';

const ASKED: AskedConfirmation = {
  ...{ verb: 'accept', eventId: aUuid(), actionId: aUuid(), type: undefined, transactionId: 'tx-1' },
  ...{ createdAtLocation: null, declaration: {}, annotation: null, registrationNumber: undefined },
  ...{ content: null, keepsAssignment: false },
};

/** What is submitted for an acceptance of a request that is found to be of this type. */
async function submitted(found: ActionType, asked: AskedConfirmation = ASKED): Promise<readonly unknown[]> {
  const commands: Command<unknown>[] = [];
  const writer = {
    submit: <T>(command: Command<T>): Promise<T> => {
      commands.push(command);
      return commands.length === 1 ? Promise.reject(new NeedsMore(found)) : Promise.resolve({} as T);
    },
  };
  const [places, views] = [{ placeOf: () => Promise.resolve(null) }, { shown: <V>(view: V) => Promise.resolve(view) }];
  const access = new RecordAccess(new Hierarchy([]));
  const caller = callerOf({ sub: 'client-1', userType: 'system', scope: ['record.action.accept'] }, () => undefined);
  const confirmations = new IncomingConfirmations(writer, access, WITHOUT_FORMS, places, views);
  await confirmations.confirm(asked, { caller, hungUp: new AbortController().signal });
  return commands.map(({ publishes, needs }) => [publishes, needs]);
}

describe('an acceptance that only the event says the needs of', () => {
  it.each([
    ['files', 'APPROVE_CORRECTION', ASKED, [['APPROVE_CORRECTION'], undefined]],
    ['files and a number', 'REGISTER', ASKED, [['REGISTER'], 'registrationNumber']],
    ['files alone, as it has a number', 'REGISTER', { ...ASKED, registrationNumber: 'N-1' }, [['REGISTER'], undefined]],
  ] as const)('is submitted again with %s', async (_, type, asked, expected) => {
    expect(await submitted(type, asked)).toEqual([[undefined, undefined], expected]);
  });
});
