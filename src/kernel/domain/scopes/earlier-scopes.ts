import type { DecodedScope, Jurisdiction, ScopeOptions } from './scope.js';

/** Earlier names. */
const NAMES: ReadonlyMap<string, DecodedScope> = new Map(
  Object.entries({
    // 1.6
    declare: 'record.declare',
    register: 'record.register',
    certify: 'record.print-certified-copies',
    'notification-api': 'record.notify',
    'validator-api': 'ageCheck',
    'age-verification-api': 'ageCheck',
    nationalid: 'nationalId',
    // 1.7 and 1.8
    'record.declaration-edit': 'record.edit',
    'record.declaration-archive': 'record.archive',
    'record.declaration-reinstate': 'record.unarchive',
    'record.registration-request-correction': 'record.request-correction',
    'record.registration-correct': 'record.correct',
    'record.registration-print': 'record.print-certified-copies',
    'record.registration-print&issue-certified-copies': 'record.print-certified-copies',
    'config.update:all': 'config.update-all',
    'user.update': 'user.edit',
    // 1.9
    'record.declared.edit': 'record.edit',
    'record.declared.reject': 'record.reject',
    'record.declared.archive': 'record.archive',
    'record.declared.review-duplicates': 'record.review-duplicates',
    'record.registered.print-certified-copies': 'record.print-certified-copies',
    'record.registered.request-correction': 'record.request-correction',
    'record.registered.correct': 'record.correct',
    // 2.0
    'record.confirm-registration': 'record.action.accept',
    'record.reject-registration': 'record.action.reject',
    'user.read:only-my-audit': 'user.read-only-my-audit',
  })
    .map(([name, type]): [string, DecodedScope] => [name, { type, options: {} }])
    .concat([
      [
        'record.declared.validate',
        { type: 'record.custom-action', options: { customActionTypes: ['VALIDATE_DECLARATION'] } },
      ],
    ]),
);

/** 1.8: `user.read:my-office`. */
const EXTENTS: ReadonlyMap<string, Jurisdiction> = new Map([
  ['all', 'all'],
  ['my-jurisdiction', 'administrativeArea'],
  ['my-office', 'location'],
]);

/** Without options, unless it is an earlier name, which may have characters that types do not allow. */
export function typeNow(name: string): DecodedScope {
  const known = NAMES.get(name);
  if (known !== undefined) return known;
  const [base = '', suffix = '', ...rest] = name.split(':');
  const extent = rest.length === 0 ? EXTENTS.get(suffix) : undefined;
  if (extent === undefined) return { type: name, options: {} };
  const options: ScopeOptions = extent === 'all' ? {} : { accessLevel: extent };
  return { type: NAMES.get(base)?.type ?? base, options };
}

export const isEarlierName = (text: string): boolean => NAMES.has(text);

/** An earlier release knew this scope by its present name. */
export const hasKeptItsName = (text: string): boolean => text === 'record.correct';
