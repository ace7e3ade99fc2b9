import type { Uuid } from '../../domain/uuid.js';
import { absurd } from '../../errors/absurd.js';
import { PostingSegment } from './posting-segment.js';
import type { Requirement } from './requirement.js';

const SMALLEST_SEGMENT = 1 << 10;
/** The size that is scanned in one go when much of it was given up: some milliseconds. */
const LARGEST_SEGMENT = 1 << 16;
/** Marks are counted up to this number of requirements: more is costly enough. */
const MOST_COUNTED = 32;

/** Marks of one aspect; a record that meets a requirement has a mark of one of its lists. */
type Marks = Requirement & { readonly kind: 'marks' };

interface Filed {
  readonly number: number;
  readonly segment: PostingSegment;
  readonly marks: number;
  readonly aspects: readonly number[];
}

/**
 * Finds the requirements that a record may meet, without going through all of them. Each is filed under marks of which
 * the record must have one; if there is a choice, under those that the fewest others ask for, so that marks that nearly
 * every record has (a type, a status) lead to few.
 */
export class RequirementIndex {
  private readonly filed = new Map<Uuid, Filed>();
  private readonly ids = new Map<number, Uuid>();
  private readonly asked = new Map<number, number>();
  private segments: PostingSegment[] = [];
  private nextNumber = 0;

  /** How many marks are stored. */
  get size(): number {
    return this.segments.reduce((sum, { size }) => sum + size, 0);
  }

  /** Files `id`, which must not be filed yet; false if it takes more than `room` marks. */
  add(id: Uuid, requirement: Requirement, room: number): boolean {
    const chosen = this.choose(requirement);
    const marks = new Set(chosen.flatMap((part) => part.marks));
    if (marks.size > Math.min(room, LARGEST_SEGMENT)) return false;
    const number = this.nextNumber++;
    const segment = this.segmentFor(marks.size);
    for (const mark of marks) segment.add(mark, number);
    const aspects = [...new Set(chosen.map(({ aspect }) => aspect))];
    for (const aspect of aspects) this.asked.set(aspect, (this.asked.get(aspect) ?? 0) + 1);
    this.filed.set(id, { number, segment, marks: marks.size, aspects });
    this.ids.set(number, id);
    return true;
  }

  remove(id: Uuid): void {
    const filed = this.filed.get(id);
    if (filed === undefined) return;
    const { number, segment, marks, aspects } = filed;
    this.filed.delete(id);
    this.ids.delete(number);
    for (const aspect of aspects) {
      const others = (this.asked.get(aspect) ?? 0) - 1;
      if (others > 0) this.asked.set(aspect, others);
      else this.asked.delete(aspect);
    }
    segment.giveUp(marks);
    if (!segment.isStale) return;
    segment.keep((kept) => this.ids.has(kept));
    if (segment.size === 0) this.segments = this.segments.filter((other) => other !== segment);
  }

  /** Whether anybody asks for marks of this aspect: others need not be looked up. */
  isAsked(aspect: number): boolean {
    return this.asked.has(aspect);
  }

  /** Adds the ids filed under `mark`. */
  collect(mark: number, found: Set<Uuid>): void {
    for (const segment of this.segments) {
      segment.visit(mark, (number) => {
        const id = this.ids.get(number);
        if (id !== undefined) found.add(id);
        return true;
      });
    }
  }

  private choose(requirement: Requirement): readonly Marks[] {
    switch (requirement.kind) {
      case 'marks':
        return [requirement];
      case 'some':
        return requirement.parts.flatMap((part) => this.choose(part));
      case 'each':
        return this.lightest(requirement.parts.map((part) => this.choose(part)));
      default:
        return absurd(requirement);
    }
  }

  /**
   * The choice whose marks the fewest ask for, since all of those are checked when a record has one of them; then the
   * one with the fewest marks.
   */
  private lightest(choices: readonly (readonly Marks[])[]): readonly Marks[] {
    if (choices.length === 1) return choices[0] ?? [];
    const weighed = choices.map((choice) => {
      let [count, load] = [0, 0];
      for (const { marks } of choice) {
        count += marks.length;
        for (const mark of marks) load += this.loadOf(mark);
      }
      return { choice, count, load };
    });
    const [first] = weighed.sort((one, other) => one.load - other.load || one.count - other.count);
    return first?.choice ?? [];
  }

  private loadOf(mark: number): number {
    let load = 0;
    for (const segment of this.segments) {
      if (load >= MOST_COUNTED) break;
      segment.visit(mark, () => {
        load += 1;
        return load < MOST_COUNTED;
      });
    }
    return load;
  }

  private segmentFor(marks: number): PostingSegment {
    const withRoom = this.segments.find((segment) => segment.hasRoomFor(marks));
    if (withRoom !== undefined) return withRoom;
    let capacity = Math.min(LARGEST_SEGMENT, 2 * (this.segments.at(-1)?.capacity ?? SMALLEST_SEGMENT / 2));
    while (capacity < marks) capacity *= 2;
    const segment = new PostingSegment(capacity);
    this.segments.push(segment);
    return segment;
  }
}
