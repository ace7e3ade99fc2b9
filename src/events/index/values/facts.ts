import type { Declaration, DeclarationValue } from '../../../kernel/domain/declaration.js';
import { parseUuid } from '../../../kernel/domain/uuid.js';
import { absurd } from '../../../kernel/errors/absurd.js';
import { type ClassifiedObject, classifyValue } from './classify-value.js';
import { ignoringCase, wordsInOrder, wordsOf } from './fold.js';
import { joinsOf } from './joined-words.js';

/**
 * What one value matches, condition by condition (the table of S-10). A member that is absent or undefined matches
 * nothing. It is stored as JSON with every record, hence the short names.
 */
export interface Fact {
  /** exact: the whole text after `ignoringCase` (text, date, boolean, file name, label, value, street detail). */
  readonly t?: string | undefined;
  /** range: the text after `cleanText`, in code-point order. */
  readonly x?: string | undefined;
  /** Order: the text as it is stored, where that is another. */
  readonly o?: string | undefined;
  /** exact, range: a number, by value (number, age, quantity). */
  readonly n?: number | undefined;
  /** range: a date. */
  readonly d?: string | undefined;
  /** exact, range: a date range of at least one day: start inclusive, end exclusive. */
  readonly r?: readonly [start: string, end: string] | undefined;
  /** exact, fuzzy: the folded words of a name. */
  readonly w?: readonly string[] | undefined;
  /**
   * Order (S-12): the folded words of a name: surname, first name, middle name, a missing part first. A tab ends a part:
   * it comes before the space between words. Undefined for a name without a word.
   */
  readonly k?: string | undefined;
  /** fuzzy: the folded words of a text. */
  readonly q?: readonly string[] | undefined;
  /** fuzzy: of a name and of a part of one, and of nothing else: the joins of its neighbouring words (S-11). */
  readonly j?: readonly string[] | undefined;
  /** within: the location that it names. */
  readonly a?: string | undefined;
  /** exact: it is an address, of this country after `ignoringCase`. */
  readonly c?: string | undefined;
  /** For maps: the facts of each member of the object. */
  readonly m?: Facts | undefined;
}

/**
 * Field id, or member of an object, to the facts of its value. A value has one fact or several, and a condition holds
 * for the value if it holds for one of them: an address also has a fact for each of its street details, a label/value
 * for each of its two texts. A list is `A_LIST` and all facts of its members; nested lists are flattened. All members
 * of a map must hold for the same fact, so that they hold for the same member of a list.
 */
export type Facts = Readonly<Record<string, readonly Fact[]>>;

/** Matches nothing. It distinguishes a list of one member from that member, as a sort must (S-12). */
const A_LIST: Fact = {};

/** No query goes deeper into a value (S-4), so deeper values need not be stored. */
const MAX_DEPTH = 16;

/**
 * The declaration in the form that conditions on `data` use. It depends on the declaration alone, and is computed once,
 * when a record is written.
 */
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

/** The parts of a name in the order of S-12. */
const PARTS_IN_ORDER = ['surname', 'firstname', 'middlename'];

/** A part has its own joins, so that it is known for a part of a name. */
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

/** One of the texts by which an address or a label/value can be found: no range and no location. */
const textAlternative = (text: string): Fact => ({ t: ignoringCase(text), q: wordsOf(text) });
