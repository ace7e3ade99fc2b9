import { TERMS } from '../../../test/support/terms.js';
import { aTrackingId } from '../../../test/support/builders/a-tracking-id.js';
import { aUuid } from '../../../test/support/builders/a-uuid.js';
import { anAction } from '../../../test/support/builders/an-action.js';
import { anInstant } from '../../../test/support/builders/an-instant.js';
import { WITHOUT_FORMS } from '../../../test/support/without-forms.js';
import { atOnce } from '../../platform/queue/time-slice.js';
import type { DeclarationChange, EventAction } from '../../kernel/domain/event-action.js';
import { additionTo } from './event-change.js';

const changed = (count: number, from: number, value: number | null): DeclarationChange =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${from + at}`, value]));
const fields = (count: number, from = 0): DeclarationChange => changed(count, from, 1);
const without = (count: number): DeclarationChange => changed(count, 0, null);

/** How many fields the event has after the new action; what is refused. */
function fieldsAfter(stored: readonly EventAction[], added: Partial<EventAction>): unknown {
  const history = { actions: [anAction(), ...stored], imported: undefined, characters: 0 };
  const event = {
    ...{ seq: '1', id: aUuid(), type: 'birth', trackingId: aTrackingId(), body: null, isDraft: true },
    ...{ createdAt: new Date(0), updatedAt: new Date(0), ...history },
  };
  const derivation = { configuration: WITHOUT_FORMS, terms: TERMS };
  try {
    const change = atOnce(additionTo(event, derivation, [anAction(added)], anInstant('2026-01-02T08:00:00Z')));
    return Object.keys(change.record.declaration).length;
  } catch (error) {
    return (error as { readonly issues: readonly object[] }).issues;
  }
}

describe('the bound on a declaration (Q-1)', () => {
  const request = anAction({ type: 'NOTIFY', status: 'Requested', declaration: fields(1_500, 1_500) });
  const stored = (count: number): EventAction => anAction({ type: 'NOTIFY', declaration: fields(count) });
  const tooMany = (count: number): readonly object[] => [
    { message: `declaration: would have ${count} values; at most 2000 are allowed` },
  ];
  const acceptance = { type: 'NOTIFY', originalActionId: request.id } as const;
  const edit = (declaration: DeclarationChange) => ({ type: 'EDIT', declaration }) as const;

  it.each([
    ['holds for an acceptance of what was requested', [stored(1_500), request], acceptance, tooMany(3_000)],
    ['leaves room up to it', [stored(500), request], acceptance, 2_000],
    ['leaves what was stored larger as it is', [stored(3_000)], edit({}), 3_000],
    ['lets it shrink', [stored(3_000)], edit(without(1)), 2_999],
    ['does not let it grow', [stored(3_000)], edit(fields(1, 3_000)), tooMany(3_001)],
  ])('%s', (_, actions, added, expected) => {
    expect(fieldsAfter(actions, added)).toEqual(expected);
  });
});
