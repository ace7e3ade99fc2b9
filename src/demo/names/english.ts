import { combined, listed, type Culture } from './culture.js';

/** English, Irish and Welsh names. */
export const ENGLISH: Culture = {
  male: listed(`
    John, James, Daniel, Michael, Samuel, Peter, David, George, Thomas, Brian, Patrick, Henry, Seán, Kevin, Matthew,
    Oliver, Dylan, Rhys, Stephen, Steven, Jonathan, Callum, Eoin, Alistair
  `),
  female: listed(`
    Elizabeth, Sarah, Rebecca, Alice, Charlotte, Hannah, Zoë, Chloë, Emily, Catherine, Katherine, Margaret, Siân,
    Joan, Deborah, Phoebe, Niamh, Róisín, Victoria, Eleanor, Martha, Lydia, Ann
  `),
  surnames: [
    ...listed(`
      Johnson, Smith, Williams, Brown, Jones, Taylor, Davies, Evans, Clark, Clarke, O’Brien, Roberts, Walker, Wright,
      Reid, Reed, Thompson, Thomson, MacDonald, McDonald, O’Connor, Hughes, Brontë, Ní Dhomhnaill, Campbell, Stewart,
      Stuart, Bailey, Baillie, Whyte
    `),
    ...combined(
      listed('Ash, Brad, Hart, Thorn, West, Lang, Hol, Whit, Stan, Mar, Wood, Clay, Elder, Fair, Hay'),
      listed('ley, ford, ton, well, wood, field, by, worth, man, ham, combe, burn, bridge, stone'),
    ),
  ],
  joint: '-',
  doubleSurnames: 0.03,
};
