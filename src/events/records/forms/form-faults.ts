import { memberPath } from '../../../kernel/errors/issue-path.js';
import type { Issue } from '../../../kernel/errors/service-error.js';
import { BoundedFaults } from '../../../kernel/input/bounded-faults.js';

/** Upstream's texts for what is wrong with a value (E-17). */
export const FORM_FAULTS = {
  kind: 'Invalid input',
  unexpected: 'Unexpected field',
  required: 'Required',
  date: 'Invalid date field',
  email: 'Invalid email address',
  uncorrectable: 'Correction not allowed for field',
} as const;

/** A position in a declaration: a field has no parent. It becomes text only for a fault that is listed. */
export interface Position {
  readonly parent: Position | undefined;
  readonly key: string | number;
}

/** The faults of one declaration: the first 100, and how many more there are. */
export class FormFaults {
  private readonly faults = new BoundedFaults();

  /** `root`: of what the fields are. */
  constructor(private readonly root: 'declaration' | 'annotation' = 'declaration') {}

  /** A fault of the member `key` of `parent`; of the field `key`, without one. */
  add(parent: Position | undefined, key: string | number, message: string): void {
    this.faults.add(() => this.pathOf({ parent, key }), message);
  }

  get issues(): readonly Issue[] {
    return this.faults.issues;
  }

  /** The id of a field stands in brackets even where it is a plain name (E-17). */
  private pathOf({ parent, key }: Position): string {
    return parent === undefined ? `${this.root}[${JSON.stringify(key)}]` : memberPath(this.pathOf(parent), key);
  }
}
