import { isEventStatus } from '../event-record.js';
import { isEarlierName, typeNow } from './earlier-scopes.js';
import { type DecodedScope, type Jurisdiction, OFFICE_OPTIONS, type OfficeOption, type ScopeOptions } from './scope.js';

/** `record.search`, `recordsearch`, `user.read:all`. */
const TYPE = /^[A-Za-z][A-Za-z0-9.:_-]*$/;
/** 1.9: `search[event=birth,access=all]`. */
const BRACKETED = /^([A-Za-z][A-Za-z0-9.:_-]*)\[([^[\]]*)\]$/;
/** `%` and `+` are excluded: releases disagree on whether they are escapes. */
const ITEM = /^[\p{L}\p{M}\p{N}._:-]+$/u;

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
type Draft = Mutable<ScopeOptions>;

type Reader = (draft: Draft, items: readonly string[]) => boolean;

const jurisdiction =
  (name: OfficeOption, values: ReadonlyMap<string, Jurisdiction>): Reader =>
  (draft, items) => {
    const value = items.length === 1 ? values.get(items[0] ?? '') : undefined;
    // `all` equals no option.
    if (value !== undefined && value !== 'all') draft[name] = value;
    return value !== undefined;
  };

const byTheCaller =
  (name: 'declaredBy' | 'registeredBy' | 'notifiedBy'): Reader =>
  (draft, items) => {
    draft[name] = 'user';
    return items.length === 1 && items[0] === 'user';
  };

const flags =
  (name: 'anyOf' | 'noneOf' | 'allOf'): Reader =>
  (draft, items) => {
    draft.flags = { ...draft.flags, [name]: items };
    // An empty `noneOf` or `allOf` would restrict nothing, which its author cannot have meant.
    return name === 'anyOf' || items.length > 0;
  };

const list =
  (name: 'event' | 'customActionTypes' | 'templates' | 'role' | 'ids'): Reader =>
  (draft, items) => {
    draft[name] = items;
    return true;
  };

const statuses: Reader = (draft, items) => {
  const known = items.filter(isEventStatus);
  draft.status = known;
  return known.length === items.length;
};

const EXTENTS = new Map<string, Jurisdiction>([
  ['all', 'all'],
  ['administrativeArea', 'administrativeArea'],
  ['location', 'location'],
]);
const ACCESS = new Map<string, Jurisdiction>([
  ['all', 'all'],
  ['my-jurisdiction', 'administrativeArea'],
]);

const OPTIONS: ReadonlyMap<string, Reader> = new Map([
  ['event', list('event')],
  ['status', statuses],
  ['flags.anyOf', flags('anyOf')],
  ['flags.noneOf', flags('noneOf')],
  ['flags.allOf', flags('allOf')],
  ...OFFICE_OPTIONS.map((name): [string, Reader] => [name, jurisdiction(name, EXTENTS)]),
  ['declaredBy', byTheCaller('declaredBy')],
  ['registeredBy', byTheCaller('registeredBy')],
  ['notifiedBy', byTheCaller('notifiedBy')],
  ['customActionTypes', list('customActionTypes')],
  ['templates', list('templates')],
  ['role', list('role')],
  ['ids', list('ids')],
]);

const BRACKETED_OPTIONS: ReadonlyMap<string, Reader> = new Map([
  ['event', list('event')],
  ['access', jurisdiction('placeOfEvent', ACCESS)],
  ['role', list('role')],
  ['id', list('ids')],
]);

type Pairs = Map<string, readonly string[]>;

export class UnreadableScope {
  constructor(readonly reason: string) {}
}

/**
 * Parses a scope in any spelling: `type=record.search&event=birth,death` (2.0; 2.1 with `event[]=birth`),
 * `search[event=birth,access=all]` (1.9), or `record.search`; translates earlier names.
 *
 * Unknown, repeated and invalid options make it unreadable, since they might restrict. An empty list matches nothing;
 * `all` is left out. Permissions check type and options.
 */
export function readScope(text: string): DecodedScope | UnreadableScope {
  if (TYPE.test(text) || isEarlierName(text)) return typeNow(text);
  const bracketed = BRACKETED.exec(text);
  if (bracketed !== null) {
    const [, type = '', inside = ''] = bracketed;
    return scopeOf(type === 'search' ? 'record.search' : type, pairsOf(inside, ',', '|'), BRACKETED_OPTIONS);
  }
  const pairs = pairsOf(text, '&', ',');
  if (pairs instanceof UnreadableScope) return pairs;
  const [type = '', ...others] = pairs.get('type') ?? [];
  if (!TYPE.test(type) || others.length > 0) return new UnreadableScope('it needs one type, as in type=record.search');
  pairs.delete('type');
  return scopeOf(type, pairs, OPTIONS);
}

/** Undefined for an unreadable scope. */
export function decodeScope(text: string): DecodedScope | undefined {
  const scope = readScope(text);
  return scope instanceof UnreadableScope ? undefined : scope;
}

function scopeOf(
  name: string,
  pairs: Pairs | UnreadableScope,
  readers: ReadonlyMap<string, Reader>,
): DecodedScope | UnreadableScope {
  if (pairs instanceof UnreadableScope) return pairs;
  const { type, options: implied } = typeNow(name);
  const options: Draft = {};
  for (const [option, items] of pairs) {
    const read = readers.get(option);
    if (read === undefined)
      return new UnreadableScope(`"${option}" is no option; options are ${[...readers.keys()].join(', ')}`);
    // A repeated option could lift the restriction of the name.
    if (Object.hasOwn(implied, option)) return new UnreadableScope(`${name} means ${option} already`);
    if (!read(options, items)) return new UnreadableScope(`${option} cannot be "${items.join(',')}"`);
  }
  return { type, options: { ...implied, ...options } };
}

/** Only the spelling `name[]=item` repeats a name, and never inside brackets. */
function pairsOf(text: string, between: string, betweenItems: string): Pairs | UnreadableScope {
  const pairs = new Map<string, readonly string[]>();
  const repeatable = new Set<string>();
  for (const pair of text.split(between)) {
    const [key = '', value, ...rest] = pair.split('=');
    if (value === undefined || rest.length > 0) return new UnreadableScope(`"${pair}" is not of the form name=value`);
    const isList = key.endsWith('[]');
    const name = isList ? key.slice(0, -2) : key;
    const items = value === '' ? [] : value.split(betweenItems);
    const before = pairs.get(name);
    const odd = items.find((item) => !ITEM.test(item));
    if (odd !== undefined) return new UnreadableScope(`${name} cannot be "${odd}"`);
    if (before !== undefined && !(isList && repeatable.has(name))) return new UnreadableScope(`${name} is given twice`);
    if (isList) repeatable.add(name);
    pairs.set(name, [...(before ?? []), ...items]);
  }
  return pairs;
}

/** As in release 2.0: `type=record.search&event=birth,death`; without options the type alone. */
export function encodeScope({ type, options: { flags, ...options } }: DecodedScope): string {
  const lists = Object.entries(flags ?? {}).map(([name, items]) => [`flags.${name}`, items] as const);
  const pairs = [...Object.entries(options), ...lists].map(([name, value]) => `${name}=${[value].flat().join(',')}`);
  return pairs.length === 0 ? type : [`type=${type}`, ...pairs].join('&');
}

/** Translates earlier scopes; other text is unchanged, even if not understood. */
export function scopeNow(text: string): string {
  const decoded = decodeScope(text);
  const isCurrent = decoded === undefined || text === decoded.type || text.split('&').includes(`type=${decoded.type}`);
  return isCurrent ? text : encodeScope(decoded);
}
