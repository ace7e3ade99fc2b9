import fc from 'fast-check';
import { decodeScope, encodeScope, scopeNow } from './decode-scope.js';
import type { DecodedScope } from './scope.js';

describe('encodeScope', () => {
  it.each<[DecodedScope, string]>([
    [{ type: 'record.search', options: {} }, 'record.search'],
    [
      { type: 'record.search', options: { event: ['birth', 'death'], flags: { noneOf: ['sealed'] } } },
      'type=record.search&event=birth,death&flags.noneOf=sealed',
    ],
    [
      { type: 'record.read', options: { event: [], placeOfEvent: 'location' } },
      'type=record.read&event=&placeOfEvent=location',
    ],
  ])('writes %j as %s', (decoded, text) => {
    expect(encodeScope(decoded)).toBe(text);
  });

  it('writes what is read as the same again', () => {
    const items = fc.array(fc.constantFrom('birth', 'é:a', 'x.y-z_1'), { maxLength: 3 });
    const options = fc.record(
      {
        event: items,
        customActionTypes: items,
        flags: fc.record(
          { anyOf: items, noneOf: items.filter((list) => list.length > 0) },
          { requiredKeys: ['anyOf'] },
        ),
        declaredIn: fc.constantFrom('location' as const, 'administrativeArea' as const),
        notifiedBy: fc.constant('user' as const),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(options, (given) => {
        const decoded = { type: 'record.search', options: given };
        expect(decodeScope(encodeScope(decoded))).toEqual(decoded);
      }),
    );
  });
});

describe('scopeNow', () => {
  it.each([
    ['record.registration-request-correction', 'record.request-correction'],
    ['record.confirm-registration[event=birth|death]', 'type=record.action.accept&event=birth,death'],
    ['type=record.reject-registration&event=birth', 'type=record.action.reject&event=birth'],
    ['search[event=birth,access=my-jurisdiction]', 'type=record.search&event=birth&placeOfEvent=administrativeArea'],
    ['record.declared.validate', 'type=record.custom-action&customActionTypes=VALIDATE_DECLARATION'],
    ['organisation.read-locations:my-office', 'type=organisation.read-locations&accessLevel=location'],
    ['user.create:all', 'user.create'],
    ['notification-api', 'record.notify'],
  ])('turns %s into %s', (earlier, now) => {
    expect(scopeNow(earlier)).toBe(now);
  });

  it.each([
    'record.correct',
    'recordsearch',
    'type=record.read&event[]=birth',
    'event=birth&type=record.read',
    'no scope',
  ])('leaves %s as it is', (scope) => {
    expect(scopeNow(scope)).toBe(scope);
  });
});
