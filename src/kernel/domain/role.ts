/** A role of users: what everybody who has it may do (U-6). */
export interface Role {
  /** As users have it, and as scopes name it: `LOCAL_REGISTRAR`. */
  readonly id: string;
  readonly label: string;
  /** In any of their spellings. */
  readonly scopes: readonly string[];
}

/** What the id of a role is made of: the option `role` of scopes must be able to name it. */
const ROLE_ID = /^[\p{L}\p{M}\p{N}._:-]{1,64}$/u;

/** How a fault says what the id of a role is made of. */
export const ROLE_IDS = 'of 1 to 64 letters, digits, `.`, `_`, `:` and `-`';

/** Whether a role may have this id. */
export const isRoleId = (text: string): boolean => ROLE_ID.test(text) && text.isWellFormed();
