import type { AddressTerm } from '../../index/values/address-term.js';
import type { Fact, Facts } from '../../index/values/facts.js';
import { ignoringCase } from '../../index/values/fold.js';
import { byCodePoint } from '../../../kernel/domain/text.js';
import type { DataInput, DataMember } from '../../../kernel/domain/search-request.js';
import { absurd } from '../../../kernel/errors/service-error.js';
import { readValueRange, type ValueRange } from '../predicate/value-range.js';
import { readValueTerms, type ValueTerms } from '../predicate/value-terms.js';
import type { TestContext } from './candidate.js';
import { nearTest } from './near-word.js';

type FactTest = (fact: Fact) => boolean;

const NEVER: FactTest = () => false;

/** `compileFact` without SQL (S-10). */
export function testOfValue(input: DataInput, context: TestContext): FactTest {
  switch (input.type) {
    case 'exact':
      return testOfTerms(readValueTerms([input.term]), context);
    case 'anyOf':
      return testOfTerms(readValueTerms(input.terms), context);
    case 'range':
      return testOfRange(readValueRange(input.gte, input.lte));
    case 'within':
      return ({ a }) => a !== undefined && context.isWithin(a, input.location);
    case 'map': {
      const members = input.members.map((member) => testOfMember(member, context));
      return ({ m }) => m !== undefined && members.every((isMet) => isMet(m));
    }
    case 'fuzzy': {
      const areNear = nearTest(input.term);
      if (areNear === undefined) return NEVER;
      return areNear;
    }
    default:
      return absurd(input);
  }
}

export function testOfMember({ key, input }: DataMember, context: TestContext): (facts: Facts) => boolean {
  const isMet = testOfValue(input, context);
  return (facts) => Object.hasOwn(facts, key) && (facts[key] ?? []).some(isMet);
}

function testOfTerms({ texts, numbers, names, dates, addresses }: ValueTerms, context: TestContext): FactTest {
  const isText = membership(texts);
  const isNumber = membership(numbers);
  const isAddress = addresses.map((address) => testOfAddress(address, context));
  return (fact) => {
    const { t, n, w, r, c } = fact;
    if (t !== undefined) return isText(t);
    if (n !== undefined) return isNumber(n);
    if (w !== undefined) return names.some((words) => words.every((word) => w.includes(word)));
    if (r !== undefined) return dates.some((day) => r[0] <= day && day < r[1]);
    return c !== undefined && isAddress.some((isMet) => isMet(fact));
  };
}

/** Sets would take most of the memory of ten thousand single-term conditions. */
function membership<T>(values: readonly T[]): (value: T) => boolean {
  if (values.length <= 8) return (value) => values.includes(value);
  const set = new Set(values);
  return (value) => set.has(value);
}

function testOfAddress({ country, administrativeArea, streetDetails }: AddressTerm, context: TestContext): FactTest {
  const wanted = ignoringCase(country);
  const details = streetDetails.map(([key, text]) => [key, ignoringCase(text)] as const);
  return ({ c, a, m }) =>
    c === wanted &&
    (administrativeArea === undefined || (a !== undefined && context.isWithin(a, administrativeArea))) &&
    details.every(([key, text]) => streetDetail(m, key) === text);
}

/** Only a plain text: neither a list nor a special kind of value. */
function streetDetail(address: Facts | undefined, key: string): string | undefined {
  const details = onlyFact(address, 'streetLevelDetails')?.m;
  const detail = onlyFact(details, key);
  return detail?.q === undefined || detail.m !== undefined ? undefined : detail.t;
}

function onlyFact(facts: Facts | undefined, key: string): Fact | undefined {
  if (facts === undefined || !Object.hasOwn(facts, key)) return undefined;
  const [only, ...others] = facts[key] ?? [];
  return others.length === 0 ? only : undefined;
}

function testOfRange({ text, number, date }: ValueRange): FactTest {
  return ({ x, n, d, r }) => {
    if (x !== undefined) return byCodePoint(text.gte, x) <= 0 && byCodePoint(x, text.lte) <= 0;
    if (n !== undefined) return number !== undefined && number.gte <= n && n <= number.lte;
    if (date === undefined) return false;
    if (d !== undefined) return date.gte <= d && d <= date.lte;
    return r !== undefined && r[0] <= date.lte && r[1] > date.gte;
  };
}
