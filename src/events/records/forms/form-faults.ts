import { memberPath } from '../../../kernel/errors/faults.js';
import type { Issue } from '../../../kernel/errors/service-error.js';
import { BoundedFaults } from '../../../kernel/input/bounded-faults.js';

/** Upstream's texts (E-17). */
export const FORM_FAULTS = {
  kind: 'Invalid input',
  unexpected: 'Unexpected field',
  required: 'Required',
  date: 'Invalid date field',
  email: 'Invalid email address',
  uncorrectable: 'Correction not allowed for field',
} as const;

/** A field has no parent. Becomes text only for listed faults. */
export interface Position {
  readonly parent: Position | undefined;
  readonly key: string | number;
}

/** Lists 100 faults of a declaration, and counts the rest. */
export class FormFaults {
  private readonly faults = new BoundedFaults();

  constructor(private readonly root: 'declaration' | 'annotation' = 'declaration') {}

  /** Without `parent`, `key` is a field. */
  add(parent: Position | undefined, key: string | number, message: string): void {
    this.faults.add(() => this.pathOf({ parent, key }), message);
  }

  get issues(): readonly Issue[] {
    return this.faults.issues;
  }

  /** Field ids are in brackets even when plain names (E-17). */
  private pathOf({ parent, key }: Position): string {
    return parent === undefined ? `${this.root}[${JSON.stringify(key)}]` : memberPath(this.pathOf(parent), key);
  }
}
