import type { Declaration, DeclarationValue } from '../../../kernel/domain/declaration.js';
import { parseUuid } from '../../../kernel/domain/uuid.js';
import { absurd } from '../../../kernel/errors/service-error.js';
import { type ClassifiedObject, classifyValue } from './classify-value.js';
import { ignoringCase, wordsInOrder, wordsOf } from './fold.js';
import { joinsOf } from './joined-words.js';

/**
 * By condition (the table of S-10). An absent or undefined member matches nothing. Short names, as stored with every
 * record.
 */
export interface Fact {
  /** exact: the whole text after `ignoringCase` (text, date, boolean, file name, label, value, street detail). */
  readonly t?: string | undefined;
  /** range: the text after `cleanText`, in code-point order. */
  readonly x?: string | undefined;
  /** Order: the text as stored, if different. */
  readonly o?: string | undefined;
  /** exact, range: a number, by value (number, age, quantity). */
  readonly n?: number | undefined;
  /** range: a date. */
  readonly d?: string | undefined;
  /** exact, range: a date range, at least a day, the end exclusive. */
  readonly r?: readonly [start: string, end: string] | undefined;
  /** exact, fuzzy: the folded words of a name. */
  readonly w?: readonly string[] | undefined;
  /**
   * Order (S-12): the folded surname, first and middle name, a missing part first. A tab ends a part, and sorts before
   * a space. Undefined without words.
   */
  readonly k?: string | undefined;
  /** fuzzy: the folded words of a text. */
  readonly q?: readonly string[] | undefined;
  /** fuzzy: the joins of a name's or part's words (S-11). */
  readonly j?: readonly string[] | undefined;
  /** within: the named location. */
  readonly a?: string | undefined;
  /** exact: the country of an address, after `ignoringCase`. */
  readonly c?: string | undefined;
  /** For maps: the members' facts. */
  readonly m?: Facts | undefined;
}

/**
 * Field id, or member, to its facts; a condition needs one match. Each street detail, and each text of a label/value,
 * has its own fact. A list is `A_LIST` and its members' facts, flattened. Members of a map must match one fact, hence
 * one list member.
 */
export type Facts = Readonly<Record<string, readonly Fact[]>>;

/** Distinguishes a list of one member from that member, for sorts (S-12). */
const A_LIST: Fact = {};

/** No query reaches deeper values (S-4). */
const MAX_DEPTH = 16;

/** For conditions on `data`, computed once per write. */
export const factsOf = (declaration: Declaration): Facts => factsOfMembers(declaration, 1);

function factsOfMembers(object: Declaration, depth: number): Facts {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, factsOfValue(value, depth)]));
}

function factsOfValue(value: DeclarationValue, depth: number): readonly Fact[] {
  const found = classifyValue(value);
  switch (found.kind) {
    case 'text':
      return [
        {
          t: ignoringCase(found.text),
          q: wordsOf(found.text),
          x: found.text,
          a: parseUuid(found.text),
          o: otherThan(found.text, value),
        },
      ];
    case 'date':
      return [{ t: found.date, q: wordsOf(found.date), d: found.date, o: otherThan(found.date, value) }];
    case 'number':
      return [{ n: found.number }];
    case 'boolean':
      return [{ t: String(found.boolean) }];
    case 'list':
      return [A_LIST, ...found.members.flatMap((member) => factsOfValue(member, depth))];
    default:
      return factsOfObject(found, depth < MAX_DEPTH ? factsOfMembers(found.object, depth + 1) : undefined);
  }
}

const otherThan = (clean: string, value: DeclarationValue): string | undefined =>
  typeof value === 'string' && value !== clean ? value : undefined;

function factsOfObject(found: ClassifiedObject, m: Facts | undefined): readonly Fact[] {
  switch (found.kind) {
    case 'file':
      return [{ t: ignoringCase(found.originalFilename), m }];
    case 'name':
      return [factOfName(found.object, m)];
    case 'address':
      return [
        { c: ignoringCase(found.country), a: found.administrativeArea, m },
        ...found.streetDetails.map(textAlternative),
      ];
    case 'measure':
      return [{ n: found.number, m }];
    case 'labelled':
      return [{ m }, textAlternative(found.label), textAlternative(found.value)];
    case 'dateRange':
      return [{ r: found.start < found.end ? [found.start, found.end] : undefined, m }];
    case 'group':
      return [{ m }];
    default:
      return absurd(found);
  }
}

/** The order of S-12. */
const PARTS_IN_ORDER = ['surname', 'firstname', 'middlename'];

/** Each part has its own joins. */
function factOfName(name: Declaration, m: Facts | undefined): Fact {
  const words = new Map(
    Object.entries(name).map(([key, part]) => [key, wordsInOrder(typeof part === 'string' ? part : '')]),
  );
  const joins = new Map(Array.from(words, ([key, part]) => [key, joinsOf(part)]));
  const members = Object.entries(m ?? {}).map(([key, facts]) => [
    key,
    facts.map((fact) => ({ ...fact, j: joins.get(key) })),
  ]);
  const all = [...words.values()].flat();
  return {
    w: [...new Set(all)],
    k: all.length === 0 ? undefined : PARTS_IN_ORDER.map((key) => (words.get(key) ?? []).join(' ')).join('\t'),
    j: [...new Set([...joins.values()].flat())],
    m: m && (Object.fromEntries(members) as Facts),
  };
}

/** Without range and location. */
const textAlternative = (text: string): Fact => ({ t: ignoringCase(text), q: wordsOf(text) });
