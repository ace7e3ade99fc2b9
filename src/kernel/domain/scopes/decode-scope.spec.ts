import fc from 'fast-check';

import { decodeScope } from './decode-scope.js';
import type { DecodedScope } from './scope.js';

const UNDERSTOOD: readonly (readonly [string, DecodedScope])[] = [
  // Bare literals.
  ['record.search', { type: 'record.search', options: {} }],
  ['recordsearch', { type: 'recordsearch', options: {} }],
  // 2.0.
  ['type=record.search', { type: 'record.search', options: {} }],
  ['type=record.search&event=birth', { type: 'record.search', options: { event: ['birth'] } }],
  [
    'type=record.search&event=birth,death&placeOfEvent=administrativeArea',
    { type: 'record.search', options: { event: ['birth', 'death'], placeOfEvent: 'administrativeArea' } },
  ],
  ['event=birth&type=record.read', { type: 'record.read', options: { event: ['birth'] } }],
  [
    'type=record.read&declaredIn=location&registeredIn=administrativeArea&notifiedIn=location',
    {
      type: 'record.read',
      options: { declaredIn: 'location', registeredIn: 'administrativeArea', notifiedIn: 'location' },
    },
  ],
  [
    'type=record.search&declaredBy=user&registeredBy=user&notifiedBy=user',
    { type: 'record.search', options: { declaredBy: 'user', registeredBy: 'user', notifiedBy: 'user' } },
  ],
  ['type=record.search&placeOfEvent=all&declaredIn=all', { type: 'record.search', options: {} }],
  [
    'type=record.custom-action&customActionTypes=SEAL,UNSEAL',
    { type: 'record.custom-action', options: { customActionTypes: ['SEAL', 'UNSEAL'] } },
  ],
  [
    'type=record.print-certified-copies&templates=short',
    { type: 'record.print-certified-copies', options: { templates: ['short'] } },
  ],
  // 2.1.
  ['type=record.search&event[]=birth', { type: 'record.search', options: { event: ['birth'] } }],
  ['type=record.search&event[]=birth&event[]=death', { type: 'record.search', options: { event: ['birth', 'death'] } }],
  [
    'type=record.search&status=DECLARED,REGISTERED',
    { type: 'record.search', options: { status: ['DECLARED', 'REGISTERED'] } },
  ],
  ['type=record.search&flags.noneOf[]=sealed', { type: 'record.search', options: { flags: { noneOf: ['sealed'] } } }],
  [
    'type=record.search&flags.anyOf=register:requested,scellé&flags.noneOf=sealed&flags.allOf=a,b',
    {
      type: 'record.search',
      options: { flags: { anyOf: ['register:requested', 'scellé'], noneOf: ['sealed'], allOf: ['a', 'b'] } },
    },
  ],
  // 1.9.
  ['search[event=birth,access=all]', { type: 'record.search', options: { event: ['birth'] } }],
  [
    'search[event=birth,access=my-jurisdiction]',
    { type: 'record.search', options: { event: ['birth'], placeOfEvent: 'administrativeArea' } },
  ],
  ['record.notify[event=birth|death]', { type: 'record.notify', options: { event: ['birth', 'death'] } }],
  // Names of earlier releases.
  ['record.correct', { type: 'record.correct', options: {} }],
  ['record.registration-request-correction', { type: 'record.request-correction', options: {} }],
  [
    'record.confirm-registration[event=birth|death]',
    { type: 'record.action.accept', options: { event: ['birth', 'death'] } },
  ],
  ['type=record.confirm-registration&event=birth', { type: 'record.action.accept', options: { event: ['birth'] } }],
  ['record.reject-registration[event=death]', { type: 'record.action.reject', options: { event: ['death'] } }],
  ['record.declared.edit[event=birth]', { type: 'record.edit', options: { event: ['birth'] } }],
  ['record.registration-print&issue-certified-copies', { type: 'record.print-certified-copies', options: {} }],
  [
    'record.declared.validate[event=birth]',
    { type: 'record.custom-action', options: { customActionTypes: ['VALIDATE_DECLARATION'], event: ['birth'] } },
  ],
  ['user.read:all', { type: 'user.read', options: {} }],
  ['user.read:my-office', { type: 'user.read', options: { accessLevel: 'location' } }],
  ['user.update:my-jurisdiction', { type: 'user.edit', options: { accessLevel: 'administrativeArea' } }],
  ['user.read:only-my-audit', { type: 'user.read-only-my-audit', options: {} }],
  ['workqueue[id=assigned-to-you|recent]', { type: 'workqueue', options: { ids: ['assigned-to-you', 'recent'] } }],
  ['config.update:all', { type: 'config.update-all', options: {} }],
  // Neither an extent nor a name that is known: a type that permissions do not know.
  ['user.read:mine', { type: 'user.read:mine', options: {} }],
  // An empty list stays: it matches nothing.
  ['type=record.search&event=', { type: 'record.search', options: { event: [] } }],
  ['type=record.search&status[]=', { type: 'record.search', options: { status: [] } }],
  ['type=record.search&flags.anyOf=', { type: 'record.search', options: { flags: { anyOf: [] } } }],
  ['record.notify[event=]', { type: 'record.notify', options: { event: [] } }],
];

const NOT_UNDERSTOOD: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['white space', ' record.search'],
  ['two literals', 'record.search record.read'],
  ['no type', 'event=birth'],
  ['an empty type', 'type=&event=birth'],
  ['two types', 'type=record.search,record.read'],
  ['the type twice', 'type=record.search&type=record.read'],
  ['an unknown option', 'type=record.search&createdIn=location'],
  ['an option that the name of the type means already', 'type=user.read:my-office&accessLevel=administrativeArea'],
  ['the same that means all', 'type=user.read:my-office&accessLevel=all'],
  ['a list that the name of the type means already', 'type=record.declared.validate&customActionTypes=SEAL'],
  ['an option in another letter case', 'type=record.search&Event=birth'],
  ['an option of the prototype', 'type=record.search&__proto__=x'],
  ['an option of Object', 'type=record.search&constructor=x'],
  ['an unknown flag list', 'type=record.search&flags.someOf=a'],
  ['flags without a list', 'type=record.search&flags=sealed'],
  ['an option without a value', 'type=record.search&event'],
  ['a value with an equals sign', 'type=record.search&event=a=b'],
  ['a dangling separator', 'type=record.search&'],
  ['a status that does not exist', 'type=record.search&status=DECLARED,VOIDED'],
  ['a status in lower case', 'type=record.search&status=declared'],
  ['a jurisdiction that does not exist', 'type=record.search&placeOfEvent=country'],
  ['an empty jurisdiction', 'type=record.search&placeOfEvent='],
  ['two jurisdictions', 'type=record.search&placeOfEvent=location,all'],
  ['a jurisdiction twice', 'type=record.search&placeOfEvent=location&placeOfEvent=all'],
  ['somebody other than the caller', 'type=record.search&declaredBy=someone'],
  ['nobody', 'type=record.search&declaredBy='],
  ['a list twice', 'type=record.search&event=birth&event=death'],
  ['a list in two spellings', 'type=record.search&event[]=birth&event=death'],
  ['an empty item', 'type=record.search&event=birth,'],
  ['an escape, which releases read differently', 'type=record.search&flags.noneOf=sealed%20file'],
  ['a plus, which releases read differently', 'type=record.search&flags.noneOf=sealed+file'],
  ['a noneOf of nothing, which would restrict nothing', 'type=record.search&flags.noneOf='],
  ['an allOf of nothing, which would restrict nothing', 'type=record.search&flags.allOf='],
  ['empty brackets', 'record.notify[]'],
  ['brackets that do not close', 'search[event=birth'],
  ['brackets in brackets', 'search[event=[birth]]'],
  ['text after the brackets', 'search[event=birth]x'],
  ['an unknown option in brackets', 'search[event=birth,placeOfEvent=location]'],
  ['an access that does not exist', 'search[event=birth,access=none]'],
  ['both spellings at once', 'type=search[event=birth]'],
  ['U+0000', 'type=record.search&event=birth\u0000'],
];

describe('decodeScope', () => {
  it.each(UNDERSTOOD)('understands %s', (text, decoded) => {
    expect(decodeScope(text)).toEqual(decoded);
  });

  it.each(NOT_UNDERSTOOD)('does not understand %s', (_, text) => {
    expect(decodeScope(text)).toBeUndefined();
  });

  it('drops nothing silently: what is added to a scope is understood or undoes it', () => {
    const restricted = 'type=record.search&event=birth';
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 12 }), (more) => {
        const decoded = decodeScope(`${restricted}&${more}`);
        const all = /^(placeOfEvent|declaredIn|registeredIn|notifiedIn|accessLevel)(\[\])?=all$/.test(more);
        if (!all) expect(decoded?.options).not.toEqual({ event: ['birth'] });
        expect(decoded?.options).not.toEqual({});
      }),
      { numRuns: 2_000 },
    );
  });
});
