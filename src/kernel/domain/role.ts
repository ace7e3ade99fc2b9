/** A role of users (U-6). */
export interface Role {
  readonly id: string;
  readonly label: string;
  /** In any spelling. */
  readonly scopes: readonly string[];
}

/** The scope option `role` must be able to name it. */
const ROLE_ID = /^[\p{L}\p{M}\p{N}._:-]{1,64}$/u;

export const ROLE_IDS = 'of 1 to 64 letters, digits, `.`, `_`, `:` and `-`';

export const isRoleId = (text: string): boolean => ROLE_ID.test(text) && text.isWellFormed();
